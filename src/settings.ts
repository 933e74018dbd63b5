import { z } from "zod";
import { isAllowableNetwork, networksRule } from "./alerts/delivery/addresses.ts";
import { isSender, senderRule, smtpUrlFault } from "./alerts/mail/smtp-settings.ts";
import { asciiText, readOperators, tokenMinChars } from "./api/http/operators.ts";
import { defaultMarket, isCurrency, urlTemplateFault } from "./catalog/market.ts";
import { isTimezone } from "./lib/calendar.ts";
import { toNetwork } from "./lib/networks.ts";
import { embedderSources, readEmbedder, type Embedder } from "./search/index/embedder.ts";

const loopbackHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether an address is on this machine. */
export function isLoopback(url: string): boolean {
  return URL.canParse(url) && loopbackHosts.has(new URL(url).hostname);
}

function integer(name: string, min: number, max: number, fallback: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/, `${name} must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `${name} must be a whole number from ${min} to ${max}`)
    .default(fallback);
}

function oneOf<const T extends string>(name: string, values: readonly T[]) {
  return z.enum(values, `${name} must be one of: ${values.join(", ")}`);
}

function urlOf(name: string, example: string, rule: (url: URL) => string | null) {
  return z.string().superRefine((text, ctx) => {
    let url: URL;
    try {
      url = new URL(text);
    } catch {
      ctx.addIssue({ code: "custom", message: `${name} must be a URL such as ${example}` });
      return;
    }
    const fault = rule(url);
    if (fault) ctx.addIssue({ code: "custom", message: `${name} ${fault}` });
  });
}

const storefrontUrl = urlOf("STOREFRONT_BASE_URL", "https://api.example.com", (url) => {
  if (url.username || url.password) return "must not carry credentials";
  if (/[?#]/.test(url.href)) return "must not have a query or a fragment";
  if (/\/1(\/search(\/refresh)?)?\/*$/.test(url.pathname))
    return "must end before the /1/ that every path of the upstream begins with";
  if (url.protocol === "https:") return null;
  if (url.protocol === "http:" && loopbackHosts.has(url.hostname)) return null;
  return "must be https (http is allowed for loopback addresses only)";
});

function postgresUrl(name: string) {
  const example = "postgres://user:password@host:5432/name, the password percent-encoded";
  return urlOf(name, example, (url) => {
    if (!["postgres:", "postgresql:"].includes(url.protocol))
      return "must start with postgres:// or postgresql://";
    try {
      decodeURIComponent(url.href);
    } catch {
      return "is not percent-encoded: write %25 for %";
    }
    return null;
  });
}

const meiliHost = urlOf("MEILI_HOST", "http://127.0.0.1:7700", (url) => {
  if (url.username || url.password) return "must not carry credentials: MEILI_API_KEY has the key";
  if (/[?#]/.test(url.href)) return "must not have a query or a fragment";
  return url.protocol === "http:" || url.protocol === "https:" ? null : "must be http or https";
});

const publicUrl = urlOf("PUBLIC_URL", "https://shop.example", (url) =>
  url.protocol === "https:" && url.href === `${url.origin}/`
    ? null
    : "must be an https origin such as https://shop.example, without a path",
);

const listOf = (comma: string | RegExp) =>
  z.string().transform((text) =>
    text
      .split(comma)
      .map((part) => part.trim())
      .filter((part) => part !== ""),
  );
const list = listOf(",");

/** Its faults never quote the text, which contains tokens. */
const operators = list.transform((entries, ctx) => {
  const read = readOperators(entries);
  for (const fault of read.faults) ctx.addIssue({ code: "custom", message: fault });
  return read.operators;
});

const embedderRule = `SEARCH_EMBEDDER must be a JSON object with a source (${embedderSources.join(", ")}), options of Meilisearch for that source and, if wanted, semanticRatio from 0 to 1`;

/** Its faults never quote the text, which may contain a key. */
const embedder = z.string().transform((text, ctx): Embedder => {
  const read = readEmbedder(text);
  if (read !== null) return read;
  ctx.addIssue({ code: "custom", message: embedderRule });
  return z.NEVER;
});

/** Every setting by itself, with the message of its fault; `loadConfig` knows what several mean together. */
export function settings(isTerminal: boolean) {
  return z.object({
    STOREFRONT_BASE_URL: storefrontUrl.optional(),
    STOREFRONT_CLIENT_ID: z
      .string()
      .max(512, "STOREFRONT_CLIENT_ID must have at most 512 characters")
      .optional(),
    STOREFRONT_CLIENT_SECRET: z
      .string()
      .max(512, "STOREFRONT_CLIENT_SECRET must have at most 512 characters")
      .optional(),
    STOREFRONT_CLIENT_SECRET_FILE: z.string().optional(),
    STOREFRONT_ACCOUNTS_FILE: z.string().optional(),
    STOREFRONT_DAILY_LIMIT: integer("STOREFRONT_DAILY_LIMIT", 1, 10_000_000, 10_000),
    STOREFRONT_TIMEZONE: z
      .string()
      .refine(isTimezone, "STOREFRONT_TIMEZONE must be an IANA time zone such as Asia/Tokyo")
      .default("Asia/Tokyo"),
    STOREFRONT_MAX_CALLS_PER_SECOND: z
      .string()
      .refine(
        (text) => /^\d+(\.\d+)?$/.test(text) && Number(text) >= 0.01 && Number(text) <= 1000,
        "STOREFRONT_MAX_CALLS_PER_SECOND must be a number from 0.01 to 1000",
      )
      .transform(Number)
      .default(5),
    STOREFRONT_CURRENCY: z
      .string()
      .refine(isCurrency, "STOREFRONT_CURRENCY must be an ISO 4217 code such as JPY")
      .default(defaultMarket.currency),
    PRODUCT_URL_TEMPLATE: z
      .string()
      .superRefine((template, ctx) => {
        const fault = urlTemplateFault(template);
        if (fault !== null) ctx.addIssue(`PRODUCT_URL_TEMPLATE ${fault}`);
      })
      .default(defaultMarket.urlTemplate),
    CRAWL_KEYWORDS: listOf(/[,\uFF0C、]/)
      .refine(
        (all) => all.every((k) => k.length <= 200),
        "CRAWL_KEYWORDS: a keyword has at most 200 characters",
      )
      .default([]),
    CRAWL_PACING: oneOf("CRAWL_PACING", ["smooth", "burst"]).default("smooth"),
    DATABASE_URL: postgresUrl("DATABASE_URL").optional(),
    DATABASE_POOLER_URL: postgresUrl("DATABASE_POOLER_URL").optional(),
    DATABASE_REPLICA_URL: postgresUrl("DATABASE_REPLICA_URL").optional(),
    REPLICA_MAX_LAG_S: integer("REPLICA_MAX_LAG_S", 3, 30, 5),
    DATABASE_CONNECTIONS: integer("DATABASE_CONNECTIONS", 16, 1000, 24),
    MEILI_HOST: list
      .pipe(z.array(meiliHost))
      .refine(
        (hosts) => new Set(hosts.map((host) => host.replace(/\/+$/, ""))).size === hosts.length,
        "MEILI_HOST names a host twice",
      )
      .default([]),
    SEARCH_COPIES: integer("SEARCH_COPIES", 1, 10, 1),
    MEILI_API_KEY: z
      .string()
      .regex(asciiText, "MEILI_API_KEY must have only ASCII characters")
      .optional(),
    MEILI_INDEX_PREFIX: z
      .string()
      .refine(
        (text) => /^[\w-]{1,100}$/.test(text) && !/_h\d+$/.test(text),
        "MEILI_INDEX_PREFIX must be 1 to 100 letters, digits, - and _, and not end in _h and a number",
      )
      .default("products"),
    SEARCH_EMBEDDER: embedder.optional(),
    HOST: z.string().default("127.0.0.1"),
    PORT: integer("PORT", 0, 65_535, 3000),
    HEALTH_PORT: integer("HEALTH_PORT", 0, 65_535, 0),
    STOP_DELAY_S: integer("STOP_DELAY_S", 0, 300, 0),
    TRUSTED_PROXIES: list
      .refine(
        (all) => all.every((one) => toNetwork(one) !== null),
        "TRUSTED_PROXIES must list IP addresses or networks such as 10.0.0.0/8",
      )
      .default([]),
    API_KEYS: oneOf("API_KEYS", ["off", "optional", "required"]).default("off"),
    RATE_LIMIT_PER_MINUTE: integer("RATE_LIMIT_PER_MINUTE", 0, 1_000_000, 0),
    WEBHOOK_ALLOW_PRIVATE: list
      .refine((all) => all.every(isAllowableNetwork), `WEBHOOK_ALLOW_PRIVATE ${networksRule}`)
      .default([]),
    CACHE_MAX_MB: integer("CACHE_MAX_MB", 1, 65_536, 64),
    OPS_TOKEN: z
      .string()
      .min(tokenMinChars, `OPS_TOKEN must have at least ${tokenMinChars} characters`)
      .regex(asciiText, "OPS_TOKEN must have only ASCII characters")
      .optional(),
    OPS_TOKENS: operators.default([]),
    PUBLIC_URL: publicUrl.optional(),
    SMTP_URL: urlOf("SMTP_URL", "smtp://mail.example:587", smtpUrlFault).optional(),
    SMTP_FROM: z.string().refine(isSender, `SMTP_FROM ${senderRule}`).optional(),
    DATA_DIR: z.string().default("./.data"),
    PUBLIC_EXPORTS: oneOf("PUBLIC_EXPORTS", ["off", "on"]).default("off"),
    LOG_LEVEL: oneOf("LOG_LEVEL", [
      "trace",
      "debug",
      "info",
      "warn",
      "error",
      "fatal",
      "silent",
    ]).default("info"),
    LOG_FORMAT: oneOf("LOG_FORMAT", ["pretty", "json"]).default(isTerminal ? "pretty" : "json"),
  });
}

export type Settings = z.infer<ReturnType<typeof settings>>;
