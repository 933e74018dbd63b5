import { resolve } from "node:path";
import { givenSettings } from "./lib/environment.ts";
import { isLoopback, settings, type Settings } from "./settings.ts";
import { readAccountsFile } from "./storefront/accounts-file.ts";

/** All settings of a process, checked once and frozen. Error messages never contain secrets. */
export type Config = ReturnType<typeof loadConfig>;

/** Invalid settings. The message lists all faults at once, without the values of secrets. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly faults: string[];
  constructor(faults: string[]) {
    super(
      `cannot start, ${faults.length} setting(s) to mend:\n${faults.map((f) => `  - ${f}`).join("\n")}`,
    );
    this.faults = faults;
  }
}

/** What each account of STOREFRONT_ACCOUNTS_FILE says for itself. */
const ownSettingsOfAccount = [
  "STOREFRONT_CLIENT_ID",
  "STOREFRONT_CLIENT_SECRET",
  "STOREFRONT_CLIENT_SECRET_FILE",
  "STOREFRONT_DAILY_LIMIT",
  "STOREFRONT_TIMEZONE",
];

type Given = Readonly<Record<string, string | undefined>>;

/** Faults of the settings that say with which account the upstream is called. */
function accountFaults(given: Given): string[] {
  const baseUrl = given.STOREFRONT_BASE_URL;
  if (given.STOREFRONT_ACCOUNTS_FILE) {
    return ownSettingsOfAccount
      .filter((name) => given[name])
      .map((name) => `${name} and STOREFRONT_ACCOUNTS_FILE exclude one another`);
  }
  if (!baseUrl || isLoopback(baseUrl)) return [];
  const missing = [
    ...(given.STOREFRONT_CLIENT_ID ? [] : ["STOREFRONT_CLIENT_ID"]),
    ...(given.STOREFRONT_CLIENT_SECRET || given.STOREFRONT_CLIENT_SECRET_FILE
      ? []
      : ["STOREFRONT_CLIENT_SECRET"]),
  ];
  return missing.map((name) => `${name} is needed for this STOREFRONT_BASE_URL`);
}

/** Settings that exclude or need one another. */
function combinationFaults(given: Given): string[] {
  const faults: string[] = [];
  if (given.STOREFRONT_CLIENT_SECRET && given.STOREFRONT_CLIENT_SECRET_FILE) {
    faults.push("STOREFRONT_CLIENT_SECRET and STOREFRONT_CLIENT_SECRET_FILE exclude one another");
  }
  if (Boolean(given.SMTP_URL) !== Boolean(given.SMTP_FROM)) {
    faults.push("SMTP_URL and SMTP_FROM are needed together");
  }
  if (given.SMTP_URL && !given.PUBLIC_URL) {
    faults.push("PUBLIC_URL is needed for SMTP_URL, because mails have links to the pages");
  }
  if (given.DATABASE_POOLER_URL && !given.DATABASE_URL) {
    faults.push("DATABASE_POOLER_URL needs DATABASE_URL, which leads to Postgres itself");
  }
  return faults;
}

/** Values that are right by themselves, and not together. */
function valueFaults(values: Settings): string[] {
  const faults: string[] = [];
  if (values.SEARCH_COPIES > Math.max(1, values.MEILI_HOST.length)) {
    faults.push("SEARCH_COPIES must be at most the number of hosts in MEILI_HOST");
  }
  if (values.OPS_TOKENS.some(({ token }) => token === values.OPS_TOKEN)) {
    faults.push("OPS_TOKENS has the token of OPS_TOKEN; tokens must differ");
  }
  return faults;
}

export function loadConfig(
  env: Readonly<Record<string, string | undefined>>,
  options: { isTerminal?: boolean } = {},
) {
  const given = givenSettings(env);
  const known = settings(options.isTerminal ?? false);
  const parsed = known.safeParse(given);
  const accountsFile = given.STOREFRONT_ACCOUNTS_FILE ?? null;
  const rate = parsed.data?.STOREFRONT_MAX_CALLS_PER_SECOND ?? 5;
  const listed = accountsFile === null ? null : readAccountsFile(accountsFile, rate);
  const faults = [
    ...(parsed.error?.issues.map((issue) => issue.message) ?? []),
    ...(listed?.faults ?? []),
    ...accountFaults(given),
    ...combinationFaults(given),
    ...(parsed.success ? valueFaults(parsed.data) : []),
  ];
  if (!parsed.success || faults.length > 0) throw new ConfigError([...new Set(faults)]);
  const s = parsed.data;
  const accounts = listed && Object.freeze(listed.accounts);
  return Object.freeze({
    storefront: Object.freeze({
      /** null: no upstream is configured, so the built-in sandbox is started and crawled. */
      baseUrl: s.STOREFRONT_BASE_URL?.replace(/\/+$/, "") ?? null,
      /** null: the sandbox's own credentials, for a sandbox on a loopback address. */
      clientId: s.STOREFRONT_CLIENT_ID ?? null,
      clientSecret: s.STOREFRONT_CLIENT_SECRET ?? null,
      /** A file that contains the secret; it is read again when the upstream refuses the secret. */
      clientSecretFile: s.STOREFRONT_CLIENT_SECRET_FILE ?? null,
      /** With several accounts the limit is their sum, and the zone that of the first. */
      accountsFile,
      /** null: one account, of the environment. */
      accounts,
      dailyLimit:
        accounts?.reduce((sum, { dailyLimit }) => sum + dailyLimit, 0) ?? s.STOREFRONT_DAILY_LIMIT,
      timezone: accounts?.[0]?.timezone ?? s.STOREFRONT_TIMEZONE,
      maxCallsPerSecond: s.STOREFRONT_MAX_CALLS_PER_SECOND,
      /** The code of ISO 4217. */
      currency: s.STOREFRONT_CURRENCY,
      productUrlTemplate: s.PRODUCT_URL_TEMPLATE,
    }),
    crawl: Object.freeze({ keywords: s.CRAWL_KEYWORDS, pacing: s.CRAWL_PACING }),
    /** null: embedded Postgres under `dataDir`. */
    databaseUrl: s.DATABASE_URL ?? null,
    /** A transaction pooler in front of `databaseUrl`. */
    databasePoolerUrl: s.DATABASE_POOLER_URL ?? null,
    databaseReplicaUrl: s.DATABASE_REPLICA_URL ?? null,
    /** The query API reads from a replica that is at most so far behind. */
    replicaMaxLagSeconds: s.REPLICA_MAX_LAG_S,
    /** The most connections that the pools of this process open together. */
    databaseConnections: s.DATABASE_CONNECTIONS,
    /** The first of `meiliHosts`; null: embedded Meilisearch under `dataDir`. */
    meiliHost: s.MEILI_HOST[0] ?? null,
    meiliHosts: s.MEILI_HOST,
    /** On how many of several hosts each product is kept. */
    searchCopies: s.SEARCH_COPIES,
    meiliApiKey: s.MEILI_API_KEY ?? null,
    /** Names of indexes are this and a number. */
    indexPrefix: `${s.MEILI_INDEX_PREFIX}_v`,
    /** null: searches go by words alone. Its options may contain secrets. */
    embedder: s.SEARCH_EMBEDDER ?? null,
    host: s.HOST,
    port: s.PORT,
    /** Where a worker without the API serves its health; 0: nowhere. */
    healthPort: s.HEALTH_PORT,
    /** How long an API that is told to stop goes on answering, so that load balancers leave it first. */
    stopDelayMs: s.STOP_DELAY_S * 1000,
    /** Addresses or networks (CIDR) of reverse proxies whose X-Forwarded-For is trusted. */
    trustedProxies: s.TRUSTED_PROXIES,
    /** Whether API keys lift the limit of addresses, or are needed. */
    apiKeys: s.API_KEYS,
    /** Requests per minute and client; 0: no limit. */
    rateLimitPerMinute: s.RATE_LIMIT_PER_MINUTE,
    /** Networks (CIDR) that webhooks may reach although they are private, and without TLS. */
    webhookNetworks: s.WEBHOOK_ALLOW_PRIVATE,
    /** The size of the process's answer cache. */
    cacheMaxBytes: s.CACHE_MAX_MB * 1024 * 1024,
    /** null: generated at the first start and stored in `dataDir`. */
    opsToken: s.OPS_TOKEN ?? null,
    /** Operators besides the one of `opsToken`. */
    operators: s.OPS_TOKENS,
    /** The origin of the pages, as visitors reach them; null: not known. */
    publicUrl: s.PUBLIC_URL === undefined ? null : new URL(s.PUBLIC_URL).origin,
    /** null: no mails. The address may contain a password. */
    smtp:
      s.SMTP_URL === undefined || s.SMTP_FROM === undefined
        ? null
        : Object.freeze({ url: s.SMTP_URL, from: s.SMTP_FROM }),
    dataDir: resolve(s.DATA_DIR),
    /** Snapshots of all products are made daily, and served to everybody. */
    publicExports: s.PUBLIC_EXPORTS === "on",
    log: Object.freeze({ level: s.LOG_LEVEL, format: s.LOG_FORMAT }),
    /** Variables that look like settings and are none: misspelt ones have no effect. */
    unknown: Object.keys(given).filter(
      (name) => /^(?:STOREFRONT|CRAWL|OPS)_/.test(name) && !(name in known.shape),
    ),
  });
}
