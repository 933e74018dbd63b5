import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { createBackground, type Background } from "../../bench/scale/background.ts";
import { createBenchEngine } from "../../bench/scale/engine.ts";
import { fillScale } from "../../bench/scale/fill.ts";
import { createReport, type Report } from "../../bench/scale/report.ts";
import { createHurriedClock, createRequests } from "../../bench/scale/requests.ts";
import { watchPlaces, watchTimes } from "../../bench/scale/statements.ts";
import { isBeyond, judge, toSummary, toTable } from "../../bench/scale/verdict.ts";
import { keepCounts } from "../../catalog/counts.ts";
import { rollUpCalls } from "../../catalog/history/roll-ups.ts";
import type { Db } from "../../db/open.ts";
import { readOptions, wholeNumber, UsageError } from "../../lib/arguments.ts";
import { systemClock } from "../../lib/clock.ts";
import { silentLogger as logger } from "../../lib/logger.ts";
import type { CliContext } from "../context.ts";
import { withScratchServer } from "./scratch-database.ts";

const postgresSettings = {
  shared_buffers: "1GB",
  maintenance_work_mem: "512MB",
  max_wal_size: "8GB",
  wal_level: "minimal",
  max_wal_senders: "0",
  // What is measured must not depend on when it runs: the filling and each round end with a vacuum.
  autovacuum: "off",
  // Each statement's plan comes to the bench as a notice.
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_level": "notice",
  "auto_explain.log_format": "json",
  "auto_explain.log_analyze": "on",
  "auto_explain.log_buffers": "on",
  "auto_explain.log_timing": "off",
  // In the plan: how long the statement waited for pages.
  track_io_timing: "on",
};

const timezone = "Asia/Tokyo";
/** Of disk, measured: 3.3 KB a product in each of the three databases, and the write-ahead log. */
const bytesAProduct = 4000;
const walBytes = 9e9;

/**
 * `kurabe bench scale`: fills scratch databases with N/100, N/10 and N products, sends each request and
 * does each work of the background on all three, and prints what every statement costs. The databases take turns, so
 * that a slow moment of the machine is no difference between them.
 */
export async function benchScale(args: string[], context: CliContext): Promise<number> {
  const { products, rounds, keep, json } = readArguments(args);
  const sizes = [products / 100, products / 10, products];
  // A folder with data is measured as it is.
  if (!keep || !existsSync(join(keep, "postgres"))) await checkDisk(keep ?? tmpdir(), products);
  const say = (line: string) => context.stderr.write(`${line}\n`);
  const places = watchPlaces();
  const report = createReport(places);
  const failed = new Set<string>();
  try {
    await withScratchServer(
      context,
      async (server) => {
        const subjects: Subject[] = [];
        const openRest = async (): Promise<void> => {
          const index = subjects.length;
          const size = sizes[index];
          if (size === undefined) return measure(subjects, { rounds, report, say });
          say(`${size.toLocaleString("en")} products`);
          await server.withFilledDatabase(
            `kurabe_scale_${size}`,
            (db) => fillScale(db, size, systemClock.now(), say),
            async (db) => {
              subjects.push(await createSubject(db, { index, size, report, failed, say }));
              await openRest();
            },
          );
        };
        await openRest();
      },
      { keep, postgresSettings, onNotice: report.addPlan },
    );
  } finally {
    places.stop();
  }
  for (const failure of failed) say(`failed: ${failure}`);
  const verdicts = report.rows(sizes.length).map((row) => judge(row));
  const isWithin = !verdicts.some(isBeyond) && failed.size === 0;
  const print = (line: string) => context.stdout.write(`${line}\n`);
  for (const line of toTable(verdicts, sizes)) print(line);
  for (const line of toSummary(verdicts)) print(line);
  if (json) {
    const statements = verdicts.map(({ row, ...verdict }) => ({ ...row, ...verdict }));
    print(JSON.stringify({ products, sizes, isWithin, statements }));
  }
  return isWithin ? 0 : 1;
}

function readArguments(args: string[]) {
  const {
    keep = null,
    json,
    ...texts
  } = readOptions(args, {
    products: { type: "string", default: "1000000" },
    rounds: { type: "string", default: "20" },
    keep: { type: "string" },
    json: { type: "boolean", default: false },
  });
  const products = Number(texts.products);
  if (!Number.isInteger(products / 10_000) || products < 10_000)
    throw new UsageError("--products must be a multiple of 10000, from 10000");
  return { products, rounds: wholeNumber("--rounds", texts.rounds, 1), keep, json };
}

async function checkDisk(folder: string, products: number): Promise<void> {
  const [disk] = await Promise.allSettled([statfs(folder)]);
  if (disk.status === "rejected") return;
  const free = disk.value.bavail * disk.value.bsize;
  const needed = products * 1.11 * bytesAProduct + Math.min(walBytes, products * 1000);
  const gb = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  if (free < needed)
    throw new UsageError(`${folder} has ${gb(free)} free; ${products} products need ${gb(needed)}`);
}

/** Queues, from whose heads rows are removed all the time; autovacuum visits such tables once a minute. */
const queues = sql`pending_change, alert_change, count_change`;

/** A database and what is sent to it. */
interface Subject {
  index: number;
  db: Db;
  request(): Promise<void>;
  background: Background;
}

async function createSubject(
  db: Db,
  run: {
    index: number;
    size: number;
    report: Report;
    /** Gets the requests that fail. */
    failed: Set<string>;
    say: (line: string) => void;
  },
): Promise<Subject> {
  const { index, size, report, failed, say } = run;
  // A picker of products whose every id has the same chance, the same on every run.
  let state = 42;
  const pick = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return 1 + Math.floor((state / 2_147_483_648) * size);
  };
  const engine = await createBenchEngine(db, pick);
  const onFailure = (path: string, status: number) =>
    failed.add(`${status} ${path.replaceAll(/\d+/g, "N")}`);
  // As beside a working worker and autovacuum: the changes and calls of the fill are summed before anybody reads.
  while ((await keepCounts(db, systemClock, 100_000)) === 0);
  watchTimes(db, report.add);
  report.setFrom("call-sums", "background");
  report.measure(index);
  await rollUpCalls(db, systemClock.now());
  report.measure(null);
  await db.execute(sql`vacuum analyze kept_count, call_day, ${queues}`);
  const common = { db, logger, engine, timezone, pick };
  const onRequest = (path: string) => report.setFrom(decodeURI(path), "request");
  const clock = createHurriedClock(systemClock);
  return {
    index,
    db,
    request: createRequests({ ...common, clock, onFailure, onRequest }),
    background: createBackground({ ...common, clock: systemClock, say, onPart: report.setFrom }),
  };
}

async function measure(
  subjects: readonly Subject[],
  { rounds, report, say }: { rounds: number; report: Report; say: (line: string) => void },
): Promise<void> {
  const inTurn = async (what: string, work: (subject: Subject) => Promise<void>) => {
    for (const subject of subjects) {
      say(`${what}, database ${subject.index + 1}`);
      await work(subject);
    }
  };
  await inTurn("first requests, not measured", ({ request }) => request());
  await inTurn("start", ({ background }) => background.start());
  for (let round = 1; round <= rounds; round += 1)
    await inTurn(`round ${round}`, async ({ index, db, request, background }) => {
      report.measure(index);
      await request();
      await background.step();
      report.measure(null);
      await db.execute(sql`vacuum ${queues}`);
    });
  await inTurn("the rest of the background", async ({ index, db, background }) => {
    report.measure(index);
    await background.rest();
    report.measure(null);
    await db.execute(sql`checkpoint`);
  });
}
