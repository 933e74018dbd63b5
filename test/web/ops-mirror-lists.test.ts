import { sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { enterConsole } from "../support/console-sign-in.ts";
import { createTestClock } from "../support/clock.ts";
import { storeItems } from "../support/catalog.ts";
import { apiForAll } from "../support/opened-api.ts";
import { searchItem } from "../support/products.ts";

const clock = createTestClock("2026-01-15T06:20:00Z");
const at = clock.now().toISOString();
const { test, api } = apiForAll({ clock });

/** More than a page of each list: held deletions, documents that the engine refuses, and the quarantine. */
beforeAll(async () => {
  const items = Array.from({ length: 80 }, (_, i) => searchItem(i + 1));
  await storeItems(test.db, at, items);
  await test.db.execute(sql`
    insert into held_deletion (item_id, call_id, proven_at, held_at)
    select item_id, 1, ${at}, ${at} from product`);
  await test.db.execute(sql`
    insert into mirror_index (index_uid, state, epoch, settings_hash, created_at)
    values ('products_v1', 'serving', gen_random_uuid(), 'x', ${at})`);
  await test.db.execute(sql`
    insert into mirror (index_uid, item_id, desired_version, indexed_version, dirty_since, next_at, dead_lettered_at)
    select 'products_v1', item_id, 2, 1, ${at}, ${at}, ${at} from product
    on conflict (index_uid, item_id) do update set dead_lettered_at = excluded.dead_lettered_at`);
  await test.db.execute(sql`
    insert into quarantine (id, call_id, reason, raw, seen_at)
    select n, 1, 'no price', '{}', ${at} from generate_series(1, 120) n`);
});

it("each list of the page goes on and is narrowed down while the others stay where they are", async () => {
  const visit = await enterConsole(api);
  const asked = {
    held_shop: "shop-1",
    after: "10",
    dead_after: "20",
    reason: "price",
    before: "110",
  };
  const html = await (
    await visit.get(`/ops/mirror?${new URLSearchParams(asked).toString()}`)
  ).text();
  const links = [...html.matchAll(/href="\/ops\/mirror\?([^"#]+)/g)].map(([, query = ""]) =>
    Object.fromEntries(new URLSearchParams(query.replaceAll("&amp;", "&"))),
  );
  const { held_shop: _shop, after: _after, ...ofOthers } = asked;
  const { reason: _reason, before: _before, ...unfiltered } = asked;
  for (const expected of [
    { ...asked, after: "60" },
    { ...ofOthers, held_shop: "shop-1" },
    ofOthers,
    { ...asked, dead_after: "70" },
    { ...asked, before: "60" },
    unfiltered,
  ]) {
    expect(links).toContainEqual(expected);
  }
  const [form = ""] = /<form method="get" action="\/ops\/mirror".*?<\/form>/s.exec(html) ?? [];
  const hidden = [...form.matchAll(/type="hidden" name="([^"]+)" value="([^"]+)"/g)];
  expect(Object.fromEntries(hidden.map(([, name, value]) => [name, value]))).toEqual(unfiltered);
});
