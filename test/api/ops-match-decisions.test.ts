import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { storePair } from "../support/matches.ts";
import { opsMatchesForAll } from "../support/ops-matches.ts";
import { problemOf } from "../support/problem.ts";
import { until } from "../support/until.ts";

const { test, queue, decide } = opsMatchesForAll();
const someoneWaits = () =>
  until(
    async () => {
      const [row] = await test.db.execute<{ n: number }>(sql`
        select count(*) as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      return row?.n;
    },
    { what: "a transaction that waits for a lock" },
  );
const decisionMade = z.object({ decision_id: z.number(), decision: z.string() });
const due = async () =>
  (await test.db.execute<{ item_id: number }>(sql`select item_id from match_due order by 1`)).map(
    (row) => row.item_id,
  );

describe("a decision", () => {
  it("leaves the queue for good, makes both products due, and is audited", async () => {
    await storePair(test.db, 1, 2);
    await storePair(test.db, 4, 5);
    expect(await decide(2, 1, "different")).toMatchObject({ a: 1, b: 2, decision: "different" });
    await decide(4, 5, "unsure");
    expect(await due()).toEqual([1, 2, 4, 5]);
    await storePair(test.db, 1, 2, { score: 0.8 });
    await test.db.execute(sql`delete from match_pair`);
    await storePair(test.db, 1, 2);
    expect(await queue()).toEqual([]);
    const [action] = await test.db.execute(sql`
      select action, detail, outcome from ops_audit where action = 'decide_match' order by id limit 1`);
    expect(action).toEqual({
      action: "decide_match",
      detail: { a: 2, b: 1, decision: "different" },
      outcome: "done",
    });
  });

  it("can be taken back once, and the pair waits again", async () => {
    await storePair(test.db, 1, 2);
    const first = await decide(1, 2, "same");
    const second = await decide(1, 2, "different");
    const undo = (id: number) => test.api.ops("DELETE", `/ops/v1/matches/decisions/${id}`);
    expect((await problemOf(await undo(first.decision_id))).code).toBe("decision_superseded");
    await test.db.execute(sql`truncate match_due`);
    expect((await undo(second.decision_id)).status).toBe(204);
    expect(await queue()).toEqual([[1, 2]]);
    expect(await due()).toEqual([1, 2]);
    const again = await Promise.all([undo(second.decision_id), undo(second.decision_id)]);
    expect(again.map(({ status }) => status)).toEqual([409, 409]);
    expect((await problemOf(await undo(999_999))).code).toBe("decision_not_found");
    const list = await test.ops<{ items: object[]; next: number | null }>(
      200,
      "GET",
      "/matches/decisions?limit=2",
    );
    expect(list).toMatchObject({
      items: [
        { decision: "undone", stands: true, a: { item_id: 1 }, b: { item_id: 2 } },
        { decision: "different", stands: false },
      ],
      next: second.decision_id,
    });
    const rest = await test.ops<{ items: object[]; next: number | null }>(
      200,
      "GET",
      `/matches/decisions?before=${String(list.next)}`,
    );
    expect(rest).toMatchObject({ items: [{ decision: "same", stands: false }], next: null });
  });

  it("replaces no other than it names, also of two at once", async () => {
    const post = (decision: string, replaces?: number | null) =>
      test.api.ops("POST", "/ops/v1/matches/decisions", { a: 2, b: 1, decision, replaces });
    const both = await Promise.all([post("same", null), post("different", null)]);
    const answers = both.toSorted((x, y) => x.status - y.status);
    expect(answers.map(({ status }) => status)).toEqual([201, 409]);
    const [made, refused] = await Promise.all(answers.map((answer) => answer.json()));
    const { decision_id: first, decision } = decisionMade.parse(made);
    expect(refused).toMatchObject({
      code: "decision_stands",
      detail: `decision ${first} about the same products stands: ${decision}`,
    });
    expect((await post(decision, null)).status).toBe(201);
    expect((await post("unsure", first)).status).toBe(409);
    expect((await post("unsure")).status).toBe(201);
    const { decision_id: last } = await decide(1, 2, "same");
    expect((await post("different", last)).status).toBe(201);
  });

  it("needs two known products and one of three answers", async () => {
    const post = (body: unknown) => test.api.ops("POST", "/ops/v1/matches/decisions", body);
    const bad = await problemOf(await post({ a: 0, b: "2", decision: "equal", by: "me" }));
    expect(bad.errors).toMatchObject([
      { parameter: "a", message: "must be a whole number from 1 to 9007199254740991" },
      { parameter: "b", message: "must be a whole number from 1 to 9007199254740991" },
      { parameter: "decision", message: "must be one of: same, different, unsure" },
      { parameter: "by" },
    ]);
    const same = await problemOf(await post({ a: 1, b: 1, decision: "same" }));
    expect(same.errors).toEqual([{ parameter: "b", message: "must be another product than a" }]);
    const unknown = await problemOf(await post({ a: 1, b: 999, decision: "same" }));
    expect(unknown.code).toBe("product_not_found");
    expect(await due()).toEqual([]);
  });

  it("waits for a matching under way, which may not know it", async () => {
    await test.db.execute(sql`insert into match_due values (1, now())`);
    let isDecided = false;
    let deciding: Promise<unknown> = Promise.resolve();
    await test.db.transaction(async (tx) => {
      await tx.execute(sql`delete from match_due where item_id = 1`);
      deciding = decide(1, 2, "same").then(() => (isDecided = true));
      await someoneWaits();
      expect(isDecided).toBe(false);
    });
    await deciding;
    expect(await due()).toEqual([1, 2]);
  });
});
