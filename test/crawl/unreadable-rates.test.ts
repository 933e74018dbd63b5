import { sql } from "drizzle-orm";
import { expect, inject, it } from "vitest";
import { lastingFaultsForEach, smallCrawl } from "../support/lasting-faults.ts";

const start = lastingFaultsForEach();

const columns = {
  product_schedule: "rate_changes rate_days rate_factor loss_factor weight",
  shop: "rate_changes rate_days losses loss_days bumped silent",
};
const moments = {
  product_schedule: "checked_at due_at appeared_at",
  shop: "losses_at due_at",
};
const updatesOf = (byTable: Record<string, string>, values: readonly string[]) =>
  Object.entries(byTable).flatMap(([table, names]) =>
    names.split(" ").flatMap((name) => values.map((value) => `${table} set ${name} = ${value}`)),
  );

const kinds = {
  "NaN, infinite or far too large": updatesOf(columns, ["'NaN'", "'Infinity'", "1e308"]),
  "an infinite moment": updatesOf(moments, ["'infinity'", "'-infinity'"]),
  "evidence far too large": ["rate_evidence set changes = 1e308", "loss_trait set factor = 'NaN'"],
};
const all: [what: string, updates: string[]] = ["of any kind", Object.values(kinds).flat()];

it.each(inject("long") ? Object.entries(kinds) : [all])(
  "a learned number that is none (%s) costs no answer",
  async (_what, updates) => {
    const { crawl } = await start([], smallCrawl(false));
    await crawl.pass(2);
    const since = crawl.clock.now().toISOString();
    for (const update of updates) await crawl.db.execute(sql.raw(`update ${update}`));
    const stored = async (isOk: boolean) =>
      (
        await crawl.db.execute(sql`
        select from api_call where (outcome = 'ok') = ${isOk} and outcome in ('ok', 'not_stored')
          and reserved_at > ${since}`)
      ).length;
    await crawl.pass(24, async () => (await stored(true)) < 6);
    expect(await stored(false)).toBe(0);
    expect(await stored(true)).toBe(6);
  },
);
