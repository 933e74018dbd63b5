import { sql } from "drizzle-orm";
import { describe, expect, inject, it } from "vitest";
import { settleAbsences } from "../../../src/catalog/observing/deletions.ts";
import { defaultLossBounds, type LossBounds } from "../../../src/catalog/observing/loss-guard.ts";
import { observeRefresh, observeSearch } from "../../../src/catalog/observing/observe.ts";
import type { Tx } from "../../../src/db/open.ts";
import { openedForAll } from "../../support/opened.ts";
import { createTestDb } from "../../support/postgres.ts";
import { searchItem } from "../../support/products.ts";
import { itLong } from "../../support/it-long.ts";

const test = openedForAll(createTestDb);

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

const kinds = ["search", "refresh", "deletion"] as const;
type Kind = (typeof kinds)[number];
interface Answer {
  kind: Kind;
  sent: number;
}

/** Three answers about one product, sent at any of three moments and stored in any order. */
const cases = kinds.flatMap((first) =>
  kinds
    .filter((kind) => kind !== first)
    .flatMap((second) => {
      const third = kinds.find((kind) => kind !== first && kind !== second) ?? first;
      const moments = [1, 2, 3];
      return moments.flatMap((a) =>
        moments.flatMap((b) =>
          moments.map((c): Answer[] => [
            { kind: first, sent: a },
            { kind: second, sent: b },
            { kind: third, sent: c },
          ]),
        ),
      );
    }),
);

/** The short form plays some of each kind. */
const played = inject("long") ? cases : cases.filter((_, i) => i % 5 === 0);

async function store(tx: Tx, itemId: number, answer: Answer, bounds: LossBounds): Promise<void> {
  const sighting = { callId: answer.sent, sentAt: at(answer.sent) };
  const items = [searchItem(itemId, { price: 1000 + answer.sent })];
  const request = { shopId: "shop-1", itemIds: [itemId] };
  if (answer.kind === "search") await observeSearch(tx, sighting, { items, broken: [] });
  else if (answer.kind === "refresh") {
    await observeRefresh(tx, sighting, { asked: request, items, broken: [] });
  } else {
    const proof = { shopId: "shop-1", asked: [itemId, 1], returned: [1] };
    await settleAbsences(
      tx,
      sighting,
      { ...proof, anonymous: false, confirmsEmpty: false },
      bounds,
    );
  }
}

/** Which of the cases end with the product deleted, or its deletion held. */
async function play(from: number, bounds: LossBounds): Promise<{ gone: number[]; held: number[] }> {
  for (const [i, answers] of played.entries()) {
    const itemId = from + i;
    await test.db.transaction((tx) => store(tx, itemId, { kind: "search", sent: 0 }, bounds));
    for (const answer of answers) {
      await test.db.transaction((tx) => store(tx, itemId, answer, bounds));
    }
  }
  const range = sql`item_id between ${from} and ${from + played.length - 1}`;
  const places = async (query: ReturnType<typeof sql>) =>
    (await test.db.execute<{ item_id: number }>(query)).map((row) => row.item_id - from);
  return {
    gone: await places(
      sql`select item_id from product where state = 'gone' and ${range} order by 1`,
    ),
    held: await places(sql`select item_id from held_deletion where ${range} order by 1`),
  };
}

/** Where the deletion was proven by the call that was sent last of all; a tie means it exists. */
const proven = played.flatMap((answers, i) => {
  const sent = (kind: Kind) => answers.find((one) => one.kind === kind)?.sent ?? 0;
  return sent("deletion") > Math.max(sent("search"), sent("refresh")) ? [i] : [];
});

describe("B7: existence is decided by when calls were sent", () => {
  it("B7: in whatever order a search, a refresh and a deletion are stored, the last one sent decides", async () => {
    expect(cases).toHaveLength(162);
    expect(proven).toHaveLength(inject("long") ? 30 : 5);
    expect(await play(1000, defaultLossBounds)).toEqual({ gone: proven, held: [] });
  });

  itLong("B7: the same holds of deletions that are held", async () => {
    const bounds = { ...defaultLossBounds, count: 0, share: 0 };
    expect(await play(5000, bounds)).toEqual({ gone: [], held: proven });
  });

  it("B7: an answer sent before the deletion's proof changes nothing of the deleted product", async () => {
    const bounds = defaultLossBounds;
    await test.db.execute(sql`delete from held_deletion`);
    await test.db.execute(sql`update loss_guard set tripped_at = null`);
    const all: Answer[] = [
      { kind: "search", sent: 0 },
      { kind: "deletion", sent: 5 },
      { kind: "search", sent: 3 },
    ];
    for (const answer of all) await test.db.transaction((tx) => store(tx, 9000, answer, bounds));
    const read = () =>
      test.db.execute(sql`
        select state, ver, price, deleted_call_id, checked_at = ${at(0).toISOString()} as is_as_it_was
        from product where item_id = 9000`);
    const gone = { state: "gone", ver: 2, price: 1000, deleted_call_id: 5, is_as_it_was: true };
    expect(await read()).toEqual([gone]);
    await test.db.transaction((tx) => store(tx, 9000, { kind: "search", sent: 6 }, bounds));
    expect(await read()).toMatchObject([{ state: "live", ver: 3, price: 1006 }]);
  });
});
