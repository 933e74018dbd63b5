import { expect, it } from "vitest";
import { migrateDb } from "../../src/db/migrate.ts";
import { connect, databaseBefore } from "../support/database-before.ts";

it("saved searches whose words are folded anew are found by every price instead of their words", async () => {
  const url = await databaseBefore("fold_signs");
  const client = connect(url);
  for (const [q, word] of [
    ["1か月", "か月"],
    ["財布", "財布"],
  ] as const) {
    await client.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      const [search] = await tx<{ id: string }[]>`
      insert into saved_search (owner_id, name, query, rules, min_change_percent, cooldown_s, daily_max, confirm_factor,
        feed_hash, created_at, updated_at)
      values (1, ${q}, ${client.json({ q })}, '[]', 1, 0, 10, 3, ${q}, now(), now()) returning saved_search_id as id`;
      await tx`
      insert into saved_search_anchor (kind, key, saved_search_id) values ('word', ${word}, ${search?.id ?? 0})`;
    });
  }
  await migrateDb(url);
  const rows = await client`
    select s.name, a.kind, count(*)::int as anchors, min(a.key) as first
    from saved_search s join saved_search_anchor a using (saved_search_id) group by 1, 2 order by 1`;
  expect([...rows]).toEqual([
    { name: "1か月", kind: "price", anchors: 108, first: "0" },
    { name: "財布", kind: "word", anchors: 1, first: "財布" },
  ]);
});
