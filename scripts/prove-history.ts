import { sql } from "drizzle-orm";
import { rememberTimezone } from "../src/catalog/analytics.ts";
import { readQuestions, withValues } from "../src/bench/analytics-data.ts";
import { ensureJobs, readLastRuns, startRun, type CrawlJob } from "../src/crawl/budget/jobs.ts";
import { addKeyword } from "../src/crawl/learning/keywords.ts";
import { createCrawler } from "../src/crawl/run.ts";
import type { Db } from "../src/db/open.ts";
import { runMaintenance } from "../test/support/maintenance.ts";
import { countEach } from "../src/lib/collect.ts";
import { calendarDay } from "../src/lib/calendar.ts";
import { systemClock, type Clock } from "../src/lib/clock.ts";
import { runLoop } from "../src/lib/loop.ts";
import { must } from "../src/lib/must.ts";
import { createRandom } from "../src/lib/random.ts";
import { loadCatalog, loadChanges } from "../src/sandbox/load.ts";
import { startSandbox, type RunningSandbox } from "../src/sandbox/server.ts";
import { createStorefrontClient } from "../src/storefront/client.ts";
import { readArguments, needed } from "./support/arguments.ts";
import { withDatabase } from "./support/scratch.ts";
import { logger, say } from "./support/servers.ts";

/**
 * Replays recorded changes through a sandbox, crawls them day by day (on most days the changed
 * products, on every fifth day all, on some days none), then queries the schema `analytics` for random
 * products and days and compares with the change file: if the sandbox's log has a check, price and day
 * must agree; otherwise the answer must be "not confirmed". Prints the worked questions.
 *
 *   npx tsx scripts/prove-history.ts --catalog FILE --changes FILE [--pairs 1000] [--days 127]
 */
const args = readArguments({ catalog: needed, changes: needed, pairs: 1000, days: 1000 });
const files = { catalog: args.catalog, changes: args.changes };
const TIMEZONE = "Asia/Tokyo";
const DAY_MS = 86_400_000;
const random = createRandom(20_230_605);

/** The prices in the change file by product, each with its start; null: deleted. */
type Truth = Map<number, [fromMs: number, price: number | null][]>;

async function readTruth(): Promise<{ truth: Truth; firstMs: number; lastMs: number }> {
  const truth: Truth = new Map();
  const note = (itemId: number, fromMs: number, price: number | null) => {
    const prices = truth.get(itemId);
    if (prices) prices.push([fromMs, price]);
    else truth.set(itemId, [[fromMs, price]]);
  };
  for (const { item_id, price } of await loadCatalog(files.catalog)) note(item_id, 0, price);
  const changes = await loadChanges(files.changes);
  for (const change of changes) {
    const atMs = change.t * 1000;
    if (change.op === "add") note(change.item.item_id, atMs, change.item.price);
    else if (change.op === "delete") note(change.item_id, atMs, null);
    // An edit of a missing product has no effect.
    else if (typeof truth.get(change.item_id)?.at(-1)?.[1] === "number") {
      const { price } = change.set;
      if (typeof price === "number") note(change.item_id, atMs, price);
    }
  }
  const firstMs = must(changes[0], "a change").t * 1000;
  const lastMs = must(changes.at(-1), "a change").t * 1000;
  return { truth, firstMs, lastMs };
}

/** Real time, shifted to the moment of the replay. */
function createReplayClock(startMs: number): Clock & { moveTo(ms: number): void } {
  let offsetMs = startMs - systemClock.now().getTime();
  return {
    ...systemClock,
    now: () => new Date(systemClock.now().getTime() + offsetMs),
    moveTo(ms) {
      offsetMs = ms - systemClock.now().getTime();
    },
  };
}

async function crawlAllDays(
  db: Db,
  clock: ReturnType<typeof createReplayClock>,
  sandbox: RunningSandbox,
  span: { firstMs: number; lastMs: number },
): Promise<void> {
  const stop = new AbortController();
  const crawler = createCrawler({
    db,
    clock,
    logger,
    clientOf: () => createStorefrontClient({ baseUrl: sandbox.url, ...sandbox.credentials }),
    rules: {
      dailyLimit: 1_000_000,
      timezone: TIMEZONE,
      maxCallsPerSecond: 1000,
      flightMs: 15_000,
      skewMs: 5000,
    },
    pacing: "burst",
  });
  const lane = () =>
    runLoop({ name: "crawl", clock, logger, signal: stop.signal, step: crawler.step });
  const lanes = Promise.all([lane(), lane(), lane()]);
  const run = async (job: CrawlJob) => {
    await startRun(db, job, "manual", clock.now());
    while ((await readLastRuns(db, job)).active) await clock.sleep(20);
  };
  const replay = must(sandbox.control.replay, "a replay");
  try {
    await run("discover");
    const days = Math.min(args.days, Math.ceil((span.lastMs - span.firstMs) / DAY_MS));
    for (let day = 1; day <= days; day += 1) {
      const atMs = span.firstMs + day * DAY_MS + random.integer(-8, 8) * 3_600_000;
      clock.moveTo(atMs);
      replay.advanceTo(Math.floor(atMs / 1000));
      const luck = random.next();
      if (luck < 0.2) await run("revalidate");
      if (luck < 0.8) await run("feed");
      if (luck < 0.3) await run("discover");
      if (day % 10 === 0)
        say(`  day ${day} of ${days}, ${sandbox.control.calls.all().length} calls`);
    }
  } finally {
    stop.abort();
    await lanes;
    await crawler.release();
  }
}

async function compare(db: Db, sandbox: RunningSandbox, truth: Truth, now: Date): Promise<boolean> {
  const calls = sandbox.control.calls.all();
  const looks = new Map<string, Date>();
  for (const call of calls)
    for (const id of call.returned) looks.set(`${id} ${call.day}`, new Date(call.at));
  const days = [...new Set(calls.map((call) => call.day))];
  const [first, last] = [must(days[0], "a day"), calendarDay(now, TIMEZONE)];
  const span = (Date.parse(last) - Date.parse(first)) / DAY_MS;
  const items = [...truth.keys()];
  const pairs = Array.from({ length: args.pairs }, () => ({
    item_id: random.pick(items),
    day: new Date(Date.parse(first) + random.integer(0, span) * DAY_MS).toISOString().slice(0, 10),
  }));
  const rows = await db.execute<{
    item_id: number;
    day: string;
    daily: number | null;
    confirmed: boolean | null;
    price: number | null;
    state: string;
  }>(sql`
    select w.item_id, w.day::text, d.price as daily, d.confirmed, a.price, a.state
    from json_to_recordset(${JSON.stringify(pairs)}::text::json) as w(item_id bigint, day date)
    left join analytics.price_daily d on d.item_id = w.item_id and d.day = w.day
    cross join lateral analytics.price_at(w.item_id,
      ((w.day + 1)::timestamp at time zone ${TIMEZONE}) - interval '1 ms') a`);
  const tally = { pairs: rows.length, looked: 0, agree: 0, not_confirmed: 0, wrong: 0 };
  const states = countEach(rows.map(({ state }) => state));
  for (const row of rows) {
    const look = looks.get(`${row.item_id} ${row.day}`);
    const real = look
      ? truth.get(row.item_id)?.findLast(([fromMs]) => fromMs <= look.getTime())?.[1]
      : null;
    // A product that was proven deleted later on the day of its last check is deleted at the day's end.
    const right = look
      ? row.confirmed === true && row.daily === real && row.price === real
      : row.confirmed !== true && row.daily === null && row.state !== "confirmed";
    if (look) tally.looked += 1;
    if (!right) {
      tally.wrong += 1;
      say(`  wrong: ${JSON.stringify({ ...row, look, real })}`);
    } else if (look) tally.agree += 1;
    else tally.not_confirmed += 1;
  }
  say(`${JSON.stringify(tally)}; price_at said ${JSON.stringify(Object.fromEntries(states))}`);
  return tally.wrong === 0 && rows.length === pairs.length;
}

async function answerQuestions(db: Db, until: string): Promise<void> {
  const [offer] = await db.execute<{ gtin: string; item_id: number }>(sql`
    select o.gtin, min(o.item_id) as item_id from analytics.offers o
    join price_interval i using (item_id)
    group by o.gtin having count(distinct o.shop_id) > 1 order by count(*) desc, o.gtin limit 1`);
  if (!offer) return say("\nno worked questions: no product is sold in two shops");
  const values = {
    ...offer,
    at: "2023-08-01T12:00:00Z",
    until,
    holiday: "2023-08-15",
    second_holiday: "2023-10-03",
  };
  say(`\nworked questions for ${JSON.stringify(values)}`);
  for (const { title, sql: text } of await readQuestions()) {
    const startMs = systemClock.monotonicMs();
    const rows = await db.execute(sql.raw(withValues(text, values)));
    say(
      `\n## ${title} (${rows.length} rows, ${(systemClock.monotonicMs() - startMs).toFixed(0)} ms)`,
    );
    for (const row of rows.slice(0, 6)) say(JSON.stringify(row));
  }
}

await withDatabase(async (db) => {
  const { truth, firstMs, lastMs } = await readTruth();
  const clock = createReplayClock(firstMs - 3_600_000);
  const sandbox = await startSandbox({
    clock,
    live: false,
    dailyLimit: 1_000_000,
    timezone: TIMEZONE,
    catalogFile: files.catalog,
    changesFile: files.changes,
  });
  await rememberTimezone(db, TIMEZONE, clock.now());
  await ensureJobs(db, clock.now());
  for (const q of sandbox.keywords) await addKeyword(db, { q, source: "seed" }, clock.now());
  const startMs = systemClock.monotonicMs();
  await crawlAllDays(db, clock, sandbox, { firstMs, lastMs });
  say(`crawled in ${Math.round((systemClock.monotonicMs() - startMs) / 1000)} s`);
  await db.execute(sql`vacuum analyze`);
  const tomorrow = new Date(clock.now().getTime() + DAY_MS);
  await runMaintenance(db, tomorrow, { keep_calls_days: 4000, keep_confirmations_months: 120 });
  const [sizes] = await db.execute(sql`
  select (select count(*) from product) as products, (select count(*) from price_interval) as intervals,
    (select sum(cardinality(moments)) from confirmation)::int as confirmations`);
  say(JSON.stringify(sizes));
  const right = await compare(db, sandbox, truth, clock.now());
  process.exitCode = right ? 0 : 1;
  await answerQuestions(db, calendarDay(clock.now(), TIMEZONE));
  await sandbox.close();
});
