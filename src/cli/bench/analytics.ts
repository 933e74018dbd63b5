import { sql } from "drizzle-orm";
import { rememberTimezone } from "../../catalog/analytics.ts";
import { fillAnalytics, readQuestions, sizeOf, withValues } from "../../bench/analytics-data.ts";
import type { CliContext } from "../context.ts";
import { withScratchServer } from "./scratch-database.ts";
import type { Db } from "../../db/open.ts";
import { readOptions, wholeNumber } from "../../lib/arguments.ts";
import { systemClock as clock } from "../../lib/clock.ts";
import { quantileOf } from "../../lib/quantile.ts";

const runs = 3;
const aimMs = 1000;

/**
 * `kurabe bench analytics`: fills a scratch database with years of history and prints the time of each
 * worked question. Exit code 1 if one takes longer than a second.
 */
export async function benchAnalytics(args: string[], context: CliContext): Promise<number> {
  const { intervals, plans } = readArguments(args);
  const measureOn = async (db: Db): Promise<number> => {
    const say = (line: string) => context.stdout.write(`${line}\n`);
    const size = sizeOf(intervals);
    const until = clock.now();
    const startMs = clock.monotonicMs();
    await rememberTimezone(db, "Asia/Tokyo", until);
    await fillAnalytics(db, size, until);
    const seconds = Math.round((clock.monotonicMs() - startMs) / 1000);
    say(
      `${size.intervals} intervals of ${size.products} products in ${size.shops} shops, ${size.calls} calls; loaded in ${seconds} s`,
    );
    for (const { name, size: bytes } of await readSizes(db)) say(`  ${bytes.padStart(8)}  ${name}`);
    return (await measure(db, { until, plans }, say)) ? 0 : 1;
  };
  return withScratchServer(context, (server) => server.withDatabase(measureOn));
}

function readArguments(args: string[]): { intervals: number; plans: boolean } {
  const values = readOptions(args, {
    intervals: { type: "string", default: "10000000" },
    "no-plans": { type: "boolean", default: false },
  });
  const intervals = wholeNumber("--intervals", values.intervals, 1000);
  return { intervals, plans: !values["no-plans"] };
}

async function measure(
  db: Db,
  options: { until: Date; plans: boolean },
  say: (line: string) => void,
): Promise<boolean> {
  const dayBefore = (days: number) =>
    new Date(options.until.getTime() - days * 86_400_000).toISOString().slice(0, 10);
  const values = {
    gtin: "17",
    item_id: 17,
    at: `${dayBefore(40)}T12:00:00Z`,
    until: dayBefore(0),
    holiday: dayBefore(30),
    second_holiday: dayBefore(90),
  };
  const plans: string[] = [];
  let slowestMs = 0;
  say("\n  first ms   then ms      rows  question");
  for (const { title, sql: text } of await readQuestions()) {
    const query = withValues(text, values);
    const times: number[] = [];
    let rows = 0;
    for (let run = 0; run <= runs; run += 1) {
      const startMs = clock.monotonicMs();
      rows = (await asAnalyst(db, query)).length;
      times.push(clock.monotonicMs() - startMs);
    }
    const [first = 0, ...warm] = times;
    const typicalMs = quantileOf(warm, 0.5);
    slowestMs = Math.max(slowestMs, typicalMs);
    say(
      `${first.toFixed(0).padStart(10)}${typicalMs.toFixed(0).padStart(10)}${String(rows).padStart(10)}  ${title}`,
    );
    if (!options.plans) continue;
    const plan = await asAnalyst(
      db,
      `explain (analyze, costs off, timing off, buffers off) ${query}`,
    );
    plans.push(`\n## ${title}\n${plan.map((row) => String(row["QUERY PLAN"])).join("\n")}`);
  }
  for (const plan of plans) say(plan);
  say(`\nslowest: ${slowestMs.toFixed(0)} ms (aim: under ${aimMs})`);
  return slowestMs < aimMs;
}

async function asAnalyst(db: Db, query: string): Promise<Record<string, unknown>[]> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local role kurabe_analyst`);
    return [...(await tx.execute(sql.raw(query)))];
  });
}

function readSizes(db: Db): Promise<{ name: string; size: string }[]> {
  return db.execute<{ name: string; size: string }>(sql`
    select name, pg_size_pretty(sum(bytes)) as size from (
      select case when relname like 'confirmation_2%' then 'confirmation (all months)' else relname end as name,
        pg_total_relation_size(oid) as bytes
      from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    ) t group by name having sum(bytes) > 1000000 order by sum(bytes) desc`);
}
