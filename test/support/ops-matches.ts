import { sql } from "drizzle-orm";
import { beforeAll, beforeEach } from "vitest";
import { storeTitles } from "./matches.ts";
import { opsApiForAll } from "./ops-api.ts";

interface Side {
  item_id: number;
  title: string;
}
export interface Review {
  items: {
    a: Side;
    b: Side;
    priority: number;
    reasons: Record<"for" | "against", { about: string; left: string; right: string }[]>;
  }[];
  next: string | null;
  waiting: number;
}

/** The ops API over five products, for all tests of the file; each begins without pairs, groups and decisions. */
export function opsMatchesForAll() {
  const test = opsApiForAll();
  beforeAll(() =>
    storeTitles(
      test.db,
      ["Sony WH-1000XM5 黒", 40_000],
      ["ＳＯＮＹ wh-1000xm5 ヘッドホン", 20_000],
      ["Sony WH-1000XM4", 19_000],
      ["革の財布", 4000],
      ["革の財布 赤", 3900],
    ),
  );
  beforeEach(async () => {
    await test.db.execute(sql`delete from match_pair`);
    await test.db.execute(
      sql`truncate match_decision, match_due, demand, group_member, product_group`,
    );
  });

  const review = (query = "") => test.ops<Review>(200, "GET", `/matches/review${query}`);
  const queue = async () => (await review()).items.map(({ a, b }) => [a.item_id, b.item_id]);
  const decide = (a: number, b: number, decision: string) =>
    test.ops<{ decision_id: number }>(201, "POST", "/matches/decisions", { a, b, decision });
  return { test, review, queue, decide };
}
