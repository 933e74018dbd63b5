import { systemClock } from "../lib/clock.ts";
import { givenSettings } from "../lib/given-settings.ts";
import { parseSandboxArgs, readTls, sandboxHelp, toSandboxOptions } from "./command-line.ts";
import { demoShops, ownerPassword } from "./credentials.ts";
import { loadScenario } from "./load.ts";
import type { ScenarioEvent } from "./scenario/events.ts";
import { createOwnerClient } from "./scenario/owner-client.ts";
import { runScenario } from "./scenario/run.ts";
import { scopes } from "./scopes.ts";
import { startSandbox, type RunningSandbox, type SandboxOptions } from "./server.ts";
import { SandboxInUse } from "./state/postgres-journal.ts";

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
      aborted(signal),
      events.length > 0 && play(sandbox, events, options.speed ?? SCENARIO_SPEED, context),
    ]);
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

const SCENARIO_SPEED = 60;

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

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
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
