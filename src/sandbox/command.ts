import { readFile } from "node:fs/promises";
import { untilAborted } from "../lib/async.ts";
import { readOptions, UsageError, wholeNumber } from "../lib/arguments.ts";
import { isTimezone } from "../lib/calendar.ts";
import { systemClock } from "../lib/clock.ts";
import { givenSettings } from "../lib/environment.ts";
import { demoShops, ownerPassword } from "./credentials.ts";
import { loadScenario } from "./load.ts";
import type { ScenarioEvent } from "./scenario/events.ts";
import { createOwnerClient } from "./scenario/owner-client.ts";
import { runScenario } from "./scenario/run.ts";
import { scopes } from "./scopes.ts";
import { loopbackHosts, startSandbox, type RunningSandbox, type SandboxOptions } from "./server.ts";
import { SandboxInUse } from "./state/postgres-journal.ts";

const sandboxHelp = `Usage: kurabe sandbox [options]

Serves the whole Storefront Commerce API until Ctrl-C, with its reference at /docs, and prints the
settings with which Kurabe crawls it and the credentials with which applications use it.

  --host NAME       address to listen on (default: 127.0.0.1); any other needs TLS
  --port N          port (default: PORT, else any free one)
  --tls-key FILE    private key and certificate, PEM: serve HTTPS
  --tls-cert FILE
  --catalog FILE    serve these products: JSON lines, .gz or plain (default: invented ones)
  --changes FILE    replay these changes: JSON lines, .gz or plain (default: invented life)
  --scenario FILE   let shop owners do this through the public operations: JSON array or JSON lines of
                    {"day":1,"time":"09:00","owner":"demo-1","do":"open","products":[{"title","price","stock"}]};
                    do: open, restock {stock}, sale {percent,hours}, end_sale, rename {title,to}, close
  --speed N         simulated seconds a second (default: 1 for a replay, else 60)
  --daily-limit N   calls of Search a calendar day (default: STOREFRONT_DAILY_LIMIT, else 10000)
  --seed N          another seed, other products (default: 1)
  --products N      how many products to invent (default: 3000)
  --in-memory       forget everything at the end
  --help            this text

Shops, orders and tokens are kept in schema "sandbox" of DATABASE_URL, else of the embedded database
under DATA_DIR; with --catalog or --changes nothing is kept. STOREFRONT_CLIENT_ID,
STOREFRONT_CLIENT_SECRET and STOREFRONT_TIMEZONE are taken from the environment when set. Tests steer
it over HTTP under /_control.
`;

const text = { type: "string" } as const;
const flags = {
  host: text,
  port: text,
  "tls-key": text,
  "tls-cert": text,
  catalog: text,
  changes: text,
  scenario: text,
  speed: text,
  "daily-limit": text,
  seed: text,
  products: text,
  "in-memory": { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

type Values = ReturnType<typeof parseSandboxArgs>;

export interface CommandContext {
  signal: AbortSignal;
  stdout: { write(text: string): unknown };
  /** The database for the state if no DATABASE_URL is set; without it the state is not stored. */
  openDatabase?(): Promise<{ url: string; close(): Promise<void> }>;
}

/** `kurabe sandbox`: runs until the signal aborts. Throws `UsageError` before anything is started. */
export async function runSandboxCommand(
  args: string[],
  env: Record<string, string | undefined>,
  context: CommandContext,
): Promise<void> {
  const { signal, stdout } = context;
  const values = parseSandboxArgs(args);
  if (values.help) {
    stdout.write(sandboxHelp);
    return;
  }
  const options = { ...toSandboxOptions(values, env), ...(await readTls(values)) };
  const events = values.scenario === undefined ? [] : await loadScenario(values.scenario);
  const isKept = !values["in-memory"] && options.catalogFile === undefined && !options.changesFile;
  const closers: (() => Promise<void>)[] = [];
  try {
    const databaseUrl = isKept ? await findDatabase(env, context, closers) : undefined;
    const sandbox = await startOrForget(databaseUrl, options, stdout);
    closers.push(sandbox.close);
    stdout.write(describe(sandbox));
    await Promise.all([
      untilAborted(signal),
      events.length > 0 && play(sandbox, events, options.speed ?? scenarioSpeed, context),
    ]);
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

const scenarioSpeed = 60;

async function findDatabase(
  env: Record<string, string | undefined>,
  { openDatabase }: CommandContext,
  closers: (() => Promise<void>)[],
): Promise<string | undefined> {
  const given = givenSettings(env)["DATABASE_URL"];
  if (given !== undefined) return given;
  const opened = await openDatabase?.();
  if (opened) closers.push(opened.close);
  return opened?.url;
}

/** Two sandboxes cannot share one state: the second one serves from memory and logs that. */
async function startOrForget(
  databaseUrl: string | undefined,
  options: SandboxOptions,
  stdout: CommandContext["stdout"],
): Promise<RunningSandbox> {
  if (databaseUrl === undefined) return startSandbox(options);
  try {
    return await startSandbox({ ...options, databaseUrl });
  } catch (error) {
    if (!(error instanceof SandboxInUse)) throw error;
    stdout.write(`${error.message}: this one forgets everything at its end.\n`);
    return startSandbox(options);
  }
}

async function play(
  { url, application }: RunningSandbox,
  events: readonly ScenarioEvent[],
  speed: number,
  { signal, stdout }: CommandContext,
): Promise<void> {
  const { done, failed } = await runScenario({
    events,
    speed,
    signal,
    clock: systemClock,
    clientOf: (login) =>
      createOwnerClient({ url, application, login, password: ownerPassword, scopes }, systemClock),
    tell: (line) => stdout.write(`${line}\n`),
  });
  stdout.write(`The scenario has ended: ${done} events done, ${failed} failed.\n`);
}

function describe(sandbox: RunningSandbox): string {
  const { url, credentials, application, keywords, catalog } = sandbox;
  const settings = {
    STOREFRONT_BASE_URL: url,
    STOREFRONT_CLIENT_ID: credentials.clientId,
    STOREFRONT_CLIENT_SECRET: credentials.clientSecret,
    CRAWL_KEYWORDS: keywords.join(","),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${quoted(value)}`);
  const owners = demoShops.map((shop) => shop.shop_id).join(", ");
  return `Storefront sandbox: ${catalog.size} products at ${url}, described at ${url}/docs

${lines.join("\n")}

For applications: client id ${application.clientId}, secret ${application.clientSecret},
  redirect to ${application.redirectUris.join(" or ")} (any port)
Shop owners sign in as ${owners} or any shop's id; password ${ownerPassword}

`;
}

/** For a shell or an .env file, which knows no escapes. */
function quoted(value: string): string {
  if (/^[\w.:/-]+$/.test(value)) return value;
  if (value.includes("'") && !/["$`\\!]/.test(value)) return `"${value}"`;
  return `'${value.replaceAll("'", `'\\''`)}'`;
}

/** Throws a `UsageError`. */
export function parseSandboxArgs(args: string[]) {
  return readOptions(args, flags);
}

/** Flags first, then the environment. Throws a `UsageError`. */
export function toSandboxOptions(
  values: Values,
  env: Record<string, string | undefined>,
): SandboxOptions {
  const given = givenSettings(env);
  const { STOREFRONT_TIMEZONE: timezone } = given;
  if (timezone !== undefined && !isTimezone(timezone)) {
    throw new UsageError("STOREFRONT_TIMEZONE must be an IANA time zone such as Asia/Tokyo");
  }
  return {
    clock: systemClock,
    catalogFile: values.catalog,
    changesFile: values.changes,
    port: whole("--port", values.port, 0, 65_535) ?? whole("PORT", given["PORT"], 0, 65_535),
    dailyLimit:
      whole("--daily-limit", values["daily-limit"], 0, 10_000_000) ??
      whole("STOREFRONT_DAILY_LIMIT", given["STOREFRONT_DAILY_LIMIT"], 0, 10_000_000),
    seed: whole("--seed", values.seed, 0, 2 ** 31),
    products: whole("--products", values.products, 1, 1_000_000),
    speed: positive("--speed", values.speed),
    timezone,
    clientId: given["STOREFRONT_CLIENT_ID"],
    clientSecret: given["STOREFRONT_CLIENT_SECRET"],
  };
}

async function readTls(values: Values): Promise<Pick<SandboxOptions, "host" | "tls">> {
  const { host, "tls-key": key, "tls-cert": cert } = values;
  if ((key === undefined) !== (cert === undefined)) {
    throw new UsageError("--tls-key and --tls-cert belong together");
  }
  const isOpen = host !== undefined && !loopbackHosts.has(host);
  if (isOpen && key === undefined) {
    throw new UsageError("the API is HTTPS only: --host needs --tls-key and --tls-cert");
  }
  if (key === undefined || cert === undefined) return { host };
  return { host, tls: { key: await readFile(key, "utf8"), cert: await readFile(cert, "utf8") } };
}

function whole(
  name: string,
  value: string | undefined,
  min: number,
  max: number,
): number | undefined {
  return value === undefined ? undefined : wholeNumber(name, value, min, max);
}

function positive(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const n = Number(value);
  if (value.trim() !== "" && Number.isFinite(n) && n > 0) return n;
  throw new UsageError(`${name} must be a number above 0, not "${value}"`);
}
