import { createRequire } from "node:module";
import { createLogger } from "../lib/logger.ts";
import { UsageError } from "../lib/arguments.ts";
import { configOf, type CliContext, type CommandContext } from "./context.ts";

interface Command {
  summary: string;
  /** Shown by `kurabe <command> --help`, below the usage line. */
  help: string;
  /** A command's module is loaded only when it runs, so `--help` is fast. */
  run(args: string[], context: CliContext): Promise<number>;
}

/** A command that needs no arguments and all settings. Only what runs on logs to standard output. */
function withSettings(
  load: () => Promise<(context: CommandContext) => Promise<number>>,
  logTo: 1 | 2 = 2,
): Command["run"] {
  return async (args, context) => {
    if (args.length > 0) throw new UsageError(`unexpected argument "${args[0]}"; try --help`);
    const config = configOf(context);
    const run = await load();
    return run({ ...context, config, logger: createLogger({ ...config.log, fd: logTo }) });
  };
}

const exportHelp = `Writes Parquet and CSV files, one a dataset and day of the marketplace's calendar, and a manifest.json
that names the finished ones. Days already there are not written again; a run that was stopped goes on.

  --out DIR          where to (default: DATA_DIR/exports, which GET /ops/v1/exports serves)
  --format LIST      parquet, csv or both, comma-separated (default: both)
  --from DAY         first day, YYYY-MM-DD (default: the day the first product was seen)
  --to DAY           last day (default: the last full one; a day is full an hour after its end)

CSV is in UTF-8 without a byte order mark: in Excel, open it by Data > From Text/CSV. Texts that begin like a
formula are led by an apostrophe.`;

const restoreHelp = `Run it before the first start. Needs a superuser of the database, which the embedded database has.

The backup does not know of the calls made after it. So all calls of today count as made, and the crawl goes on
when the upstream's date changes.

  --calls-today N    how many calls each account has made today, if you know it: the others may still be made`;

const promotedHelp = `Run it once, at the new primary (DATABASE_URL), before the first start: also after a restore by Postgres's own
tools. The latest transactions may be lost with the former primary, and with them calls that were counted. So
all calls of today count as made, and the crawl goes on when the upstream's date changes. Readers of /v1/changes
begin anew.

  --calls-today N    how many calls each account has made today, if you know it: the others may still be made`;

/** Each has its own arguments and prints its measurements. */
const benches: Record<string, Command> = {
  alerts: {
    summary:
      "changes judged against many saved searches: how many are looked at, how soon events come",
    help: `kurabe bench alerts [--searches N] [--products N] [--rate N] [--seconds N] [--json]
  on a scratch database; ends with exit code 1 if more than 0.1% of the saved searches are looked at for a change,
  or events take more than 2 s at p95

  --searches N         saved searches (default: 100000)
  --products N         products (default: 100000)
  --rate N             changes a second (default: 1000)
  --seconds N          for how long (default: 60)`,
    run: async (args, context) => (await import("./bench/alerts.ts")).benchAlerts(args, context),
  },
  analytics: {
    summary: "the time of each worked question of the analysts, over years of generated history",
    help: `kurabe bench analytics [--intervals N] [--no-plans]
  on a scratch database; ends with exit code 1 if one of the questions takes more than 1 s

  --intervals N        rows of the price history (default: 10000000)
  --no-plans           without the plan of each question`,
    run: async (args, context) =>
      (await import("./bench/analytics.ts")).benchAnalytics(args, context),
  },
  crawl: {
    summary: "the crawl's planner against simple policies and bounds, in simulated time",
    help: `kurabe bench crawl [--items N] [--catalog FILE --changes FILE]
  every table: synthetic worlds, regimes that contradict the planner's assumptions, and, if its files
  are given, a recorded catalogue at 100, 300 and 1000 calls a day
kurabe bench crawl [--catalog FILE --changes FILE] --policy NAME --calls-per-day N [--json]
  one run; with --json its last line is one JSON object

  \`planner\` is the crawler itself on a scratch database (on the server of DATABASE_URL, or on an
  embedded one, removed afterwards), in simulated time: its planner, learning, scans, pace and ledger.
  \`oracle\` is the same, but knows every product's true mean change rate; \`blind\` the same without
  factors of the rate by stock, price and category. The others are simple
  policies. All know each product's importance, and begin with a complete and fresh copy.

  Two bounds follow. Both assume that every call shows any 50 products of our choice:
  - unsignalled: no change is signalled, and each product is checked as often as is best for its true rate
    (the optimum of Cho and Garcia-Molina). Newest-changes pages signal changes, so a planner may come
    near it or exceed it if most changes update \`modified\`, or come in bursts.
  - clairvoyant: all changes are known in advance; no policy is above it.

  --policy NAME        planner | blind | oracle | round-robin | oldest | oldest-fullest | importance-age (default: planner)
  --calls-per-day N    (default: 300)
  --items N            size of the synthetic worlds, from 500 (default: 10000)
  --days N             days of the synthetic worlds, of which the first third is not counted (default: 36);
                       of recorded changes the first N days (default: all)
  --seed N             of the synthetic worlds (default: 1)
  --importance NAME    uniform | zipf: weights of recorded products (default: uniform)
  FILE                 JSON lines, plain or .gz, in the sandbox's format`,
    run: async (args, context) => (await import("./bench/crawl.ts")).benchCrawl(args, context),
  },
  scale: {
    summary: "each statement over three sizes of a generated catalogue, up to ten million products",
    help: `kurabe bench scale [--products N] [--rounds N] [--keep FOLDER] [--json]
  fills scratch databases with N/100, N/10 and N invented products and their history, sends each request
  and does each work of the background on all three, and prints for every statement its place, p50 and p95
  in milliseconds, the pages that it reads, the ratio of the p50 at N to that at N/100, and the nodes of its plan at N. The search
  engine and the upstream are stand-ins that answer at once. Ends with exit code 1 if a request fails, if a statement of a
  request, the crawl or the mirror takes more than twice as long at N or over 50 ms at p95 in a request and has no named
  bound, or if one of the background takes over 1 s at p95.

  --products N         a multiple of 10000 (default: 1000000); 10,000,000 need about 40 GB of disk
  --rounds N           how often each request is sent (default: 20)
  --keep FOLDER        keeps the server's data there, and measures what is there already
  --json               the last line is one JSON object`,
    run: async (args, context) => (await import("./bench/scale.ts")).benchScale(args, context),
  },
  match: {
    summary: "the matcher of equal products on any file of labelled pairs",
    help: `kurabe bench match --pairs FILE [--threshold NUMBER|auto] [--json]
  precision, recall and F1 of the shipped model; with --json its last line is one JSON object

  FILE                 JSON lines, plain or .gz: {"label":0|1,"left":{"title",…},"right":{"title",…}}, of each
                       side also "price", "brand", "category", "detail" if known, and "split" of the pair; if
                       one of them is "test", only those are judged
  --threshold          from which score a pair is linked (default: 0.5); auto: the best for the labels of the
                       other splits, or without such labels the one that the scores themselves suggest`,
    run: async (args, context) => (await import("./bench/match.ts")).benchMatch(args, context),
  },
};

const commands: Record<string, Command> = {
  start: {
    summary: "crawl, mirror and serve: everything in one process",
    help: "Starts its own Postgres, Meilisearch and Storefront sandbox where none is configured.",
    run: withSettings(async () => (await import("./start.ts")).runAll, 1),
  },
  api: {
    summary: "serve the HTTP API and pages",
    help: "Any number of them may share one database; see DATABASE_URL and MEILI_HOST.",
    run: withSettings(async () => (await import("./start.ts")).runApi, 1),
  },
  worker: {
    summary: "crawl, mirror and run the scheduled jobs",
    help: "Any number of them may share one database: one crawls, and another takes over if it stops.",
    run: withSettings(async () => (await import("./start.ts")).runWorkerOnly, 1),
  },
  migrate: {
    summary: "bring the database to this version's schema",
    help: "Every start does this too. Any number of processes may run it at once.",
    run: withSettings(async () => (await import("./maintenance.ts")).migrate),
  },
  sandbox: {
    summary: "serve the Storefront Commerce API itself, for trying and testing",
    help: "",
    async run(args, context) {
      const { runSandboxCommand } = await import("../sandbox/command.ts");
      const { openDatabase } = await import("./database.ts");
      const { env, signal, stdout } = context;
      const options = { signal, stdout, openDatabase: () => openDatabase(context) };
      await runSandboxCommand(args, env, options);
      return 0;
    },
  },
  doctor: {
    summary: "check settings, database, search engine and the connection to the upstream",
    help: "Spends no call. Exit code 1 if something needs repair.",
    run: withSettings(async () => (await import("./doctor.ts")).doctor),
  },
  status: {
    summary: "what is stored, how fresh it is, what was spent today",
    help: "Also prints the connection string of the embedded database.",
    run: withSettings(async () => (await import("./maintenance.ts")).status),
  },
  plan: {
    summary: "what the next calls would be and why, and what freshness to expect",
    help: "Spends nothing.",
    run: withSettings(async () => (await import("./plan.ts")).plan),
  },
  reindex: {
    summary: "build a new search index beside the old one and switch to it",
    help: "Searches and writes continue. Waits until the new index is verified and serves searches.",
    run: withSettings(async () => (await import("./maintenance.ts")).reindex),
  },
  "verify-mirror": {
    summary: "prove that the search index equals the database, and repair what differs",
    help: "Exit code 1 if something differed; the repair has begun then.",
    run: withSettings(async () => (await import("./maintenance.ts")).proveMirror),
  },
  export: {
    summary: "write the history to Parquet and CSV files, day by day",
    help: exportHelp,
    run: async (args, context) => (await import("./export.ts")).runExportCommand(args, context),
  },
  backup: {
    summary: "write everything that cannot be rebuilt to a folder: kurabe backup DIR",
    help: "A consistent snapshot, made while Kurabe runs. The search index is not in it, because it can be rebuilt.",
    run: async (args, context) => (await import("./backup.ts")).runBackup(args, context),
  },
  restore: {
    summary: "fill an empty database from a backup's folder: kurabe restore DIR",
    help: restoreHelp,
    run: async (args, context) => (await import("./backup.ts")).runRestore(args, context),
  },
  promoted: {
    summary: "after a replica of Postgres was promoted: kurabe promoted [--calls-today N]",
    help: promotedHelp,
    run: async (args, context) => (await import("./backup.ts")).runPromoted(args, context),
  },
  bench: {
    summary: "measure: kurabe bench <name>",
    help: [toList(benches), ...Object.values(benches).map(({ help }) => help)].join("\n\n"),
    async run([name = "", ...args], context) {
      const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
      if (!bench)
        throw new UsageError(`expected the name of a bench: ${Object.keys(benches).join(", ")}`);
      return bench.run(args, context);
    },
  },
};

function usage(): string {
  return `Usage: kurabe <command> [options]\n\n${toList(commands)}\n\nkurabe <command> --help tells more. Settings come from the environment and .env; see infra/settings.md.\n`;
}

/** The names and what they are for, one a line. */
function toList(list: Record<string, Command>): string {
  const width = Math.max(...Object.keys(list).map((name) => name.length));
  return Object.entries(list)
    .map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
    .join("\n");
}

const asksForHelp = (word: string) => word === "--help" || word === "-h";

/** Runs one command; resolves to the exit code: 0 good, 1 failed. Wrong usage throws `UsageError`. */
export async function runCli(args: string[], context: CliContext): Promise<number> {
  const [first, second] = args;
  // `help plan` is `plan --help`.
  const [name, ...rest] = first === "help" && second !== undefined ? [second, "--help"] : args;
  if (name === undefined || name === "help" || asksForHelp(name)) {
    context.stdout.write(usage());
    return name === undefined ? 2 : 0;
  }
  if (name === "--version") {
    const read = createRequire(import.meta.url)("../../package.json") as { version: string };
    context.stdout.write(`${read.version}\n`);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`unknown command "${name}"\n\n${usage()}`);
  if (rest.some(asksForHelp) && command.help !== "") {
    context.stdout.write(`Usage: kurabe ${name}\n\n${command.summary}\n\n${command.help}\n`);
    return 0;
  }
  return command.run(rest, context);
}
