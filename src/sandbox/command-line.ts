import { readFile } from "node:fs/promises";
import { readOptions } from "../lib/arguments.ts";
import { isTimezone } from "../lib/calendar.ts";
import { systemClock } from "../lib/clock.ts";
import { givenSettings } from "../lib/given-settings.ts";
import { UsageError } from "../lib/usage-error.ts";
import { loopbackHosts, type SandboxOptions } from "./server.ts";

export const sandboxHelp = `Usage: kurabe sandbox [options]

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
  const port = whole("--port", values.port, 0, 65_535) ?? whole("PORT", given["PORT"], 0, 65_535);
  const dailyLimit =
    whole("--daily-limit", values["daily-limit"], 0, 10_000_000) ??
    whole("STOREFRONT_DAILY_LIMIT", given["STOREFRONT_DAILY_LIMIT"], 0, 10_000_000);
  const seed = whole("--seed", values.seed, 0, 2 ** 31);
  const products = whole("--products", values.products, 1, 1_000_000);
  const speed = positive("--speed", values.speed);
  const timezone = given["STOREFRONT_TIMEZONE"];
  if (timezone !== undefined && !isTimezone(timezone)) {
    throw new UsageError("STOREFRONT_TIMEZONE must be an IANA time zone such as Asia/Tokyo");
  }
  const clientId = given["STOREFRONT_CLIENT_ID"];
  const clientSecret = given["STOREFRONT_CLIENT_SECRET"];
  return {
    clock: systemClock,
    ...(values.catalog !== undefined && { catalogFile: values.catalog }),
    ...(values.changes !== undefined && { changesFile: values.changes }),
    ...(port !== undefined && { port }),
    ...(dailyLimit !== undefined && { dailyLimit }),
    ...(seed !== undefined && { seed }),
    ...(products !== undefined && { products }),
    ...(speed !== undefined && { speed }),
    ...(timezone !== undefined && { timezone }),
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
  };
}

export async function readTls(values: Values): Promise<Pick<SandboxOptions, "host" | "tls">> {
  const { host, "tls-key": key, "tls-cert": cert } = values;
  if ((key === undefined) !== (cert === undefined)) {
    throw new UsageError("--tls-key and --tls-cert belong together");
  }
  const isOpen = host !== undefined && !loopbackHosts.has(host);
  if (isOpen && key === undefined) {
    throw new UsageError("the API is HTTPS only: --host needs --tls-key and --tls-cert");
  }
  const given = host === undefined ? {} : { host };
  if (key === undefined || cert === undefined) return given;
  return {
    ...given,
    tls: { key: await readFile(key, "utf8"), cert: await readFile(cert, "utf8") },
  };
}

function whole(
  name: string,
  value: string | undefined,
  min: number,
  max: number,
): number | undefined {
  if (value === undefined) return undefined;
  const n = Number(value);
  if (/^\d+$/.test(value) && n >= min && n <= max) return n;
  throw new UsageError(`${name} must be a whole number from ${min} to ${max}, not "${value}"`);
}

function positive(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const n = Number(value);
  if (value.trim() !== "" && Number.isFinite(n) && n > 0) return n;
  throw new UsageError(`${name} must be a number above 0, not "${value}"`);
}
