import { describe, expect, it } from "vitest";
import { ConfigError, loadConfig } from "./config.ts";

function faultsOf(env: Record<string, string>): string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

describe("loadConfig", () => {
  it("needs nothing: the defaults start the embedded parts and the sandbox", () => {
    const config = loadConfig({});
    expect(config).toMatchObject({
      storefront: {
        baseUrl: null,
        dailyLimit: 10_000,
        timezone: "Asia/Tokyo",
        maxCallsPerSecond: 5,
        currency: "JPY",
        productUrlTemplate: "{shop_url}items/{item_id}",
      },
      crawl: { keywords: [], pacing: "smooth" },
      databaseUrl: null,
      meiliHost: null,
      host: "127.0.0.1",
      port: 3000,
      log: { level: "info", format: "json" },
    });
  });

  it("reports all faults at once, naming each setting and no secret", () => {
    const faults = faultsOf({
      STOREFRONT_BASE_URL: "http://example.com",
      STOREFRONT_CLIENT_ID: "id",
      STOREFRONT_CLIENT_SECRET: "s3cret-canary",
      STOREFRONT_DAILY_LIMIT: "many",
      STOREFRONT_TIMEZONE: "Mars/Olympus",
      STOREFRONT_CURRENCY: "jpy",
      PRODUCT_URL_TEMPLATE: "{shop_url}{title}",
      OPS_TOKEN: "short-canary",
      OPS_TOKENS: "aya:admin:short-canary",
      PORT: "70000",
      WEBHOOK_ALLOW_PRIVATE: "10.0.0.0/8, hooks.internal",
      CACHE_MAX_MB: "0",
      API_KEYS: "on",
      CRAWL_PACING: "fast",
      DATABASE_URL: "mysql://x",
      MEILI_HOST: "http://127.0.0.1:7700,http://127.0.0.1:7700/",
      MEILI_INDEX_PREFIX: "shop_h2",
      SEARCH_COPIES: "0",
    });
    expect(faults.join("\n")).not.toContain("canary");
    expect(faults).toEqual([
      "STOREFRONT_BASE_URL must be https (http is allowed for loopback addresses only)",
      "STOREFRONT_DAILY_LIMIT must be a whole number from 1 to 10000000",
      "STOREFRONT_TIMEZONE must be an IANA time zone such as Asia/Tokyo",
      "STOREFRONT_CURRENCY must be an ISO 4217 code such as JPY",
      "PRODUCT_URL_TEMPLATE may have only the placeholders {shop_url}, {shop_id} and {item_id}",
      "CRAWL_PACING must be one of: smooth, burst",
      "DATABASE_URL must start with postgres:// or postgresql://",
      "MEILI_HOST names a host twice",
      "SEARCH_COPIES must be a whole number from 1 to 10",
      "MEILI_INDEX_PREFIX must be 1 to 100 letters, digits, - and _, and not end in _h and a number",
      "PORT must be a whole number from 0 to 65535",
      "API_KEYS must be one of: off, optional, required",
      "WEBHOOK_ALLOW_PRIVATE must list IP addresses or networks (CIDR) such as 10.1.0.0/16 or fd00::/8, separated by commas and none wider than /8 (IPv6: /7)",
      "CACHE_MAX_MB must be a whole number from 1 to 65536",
      "OPS_TOKEN must have at least 32 characters",
      "OPS_TOKENS, entry 1: the role must be one of: read, operate",
      "OPS_TOKENS, entry 1: the token must have at least 32 characters",
    ]);
  });

  it("refuses keys that no header can carry, and addresses of the search engine with a password", () => {
    const token = "鍵".repeat(32);
    const given = { OPS_TOKEN: token, OPS_TOKENS: `aya:read:${token}aya`, MEILI_API_KEY: "鍵" };
    expect(faultsOf({ ...given, MEILI_HOST: "http://kurabe:canary@127.0.0.1:7700" })).toEqual([
      "MEILI_HOST must not carry credentials: MEILI_API_KEY has the key",
      "MEILI_API_KEY must have only ASCII characters",
      "OPS_TOKEN must have only ASCII characters",
      "OPS_TOKENS, entry 1: the token must have only ASCII characters",
    ]);
    expect(faultsOf({ MEILI_HOST: "https://search.example/?index=1" })).toEqual([
      "MEILI_HOST must not have a query or a fragment",
    ]);
  });

  it("takes a mail server, its sender and the address of the pages together, and quotes no password", () => {
    const mail = {
      PUBLIC_URL: "https://shop.example/",
      SMTP_URL: "smtps://me:c%40nary@mail.example:465",
      SMTP_FROM: "Kurabe 比べ <alerts@shop.example>",
    };
    expect(loadConfig(mail)).toMatchObject({
      publicUrl: "https://shop.example",
      smtp: { url: mail.SMTP_URL, from: mail.SMTP_FROM },
    });
    expect(loadConfig({})).toMatchObject({ publicUrl: null, smtp: null });
    expect(faultsOf({ ...mail, SMTP_FROM: "" })).toEqual([
      "SMTP_URL and SMTP_FROM are needed together",
    ]);
    expect(faultsOf({ SMTP_FROM: mail.SMTP_FROM })).toHaveLength(1);
    expect(faultsOf({ ...mail, PUBLIC_URL: "" })).toEqual([
      "PUBLIC_URL is needed for SMTP_URL, because mails have links to the pages",
    ]);
    for (const bad of [
      "http://shop.example",
      "https://shop.example/kurabe",
      "https://a@b.example",
    ]) {
      expect(faultsOf({ PUBLIC_URL: bad })).toEqual([
        "PUBLIC_URL must be an https origin such as https://shop.example, without a path",
      ]);
    }
    for (const bad of [
      "https://me:canary@mail.example",
      "smtp://me:canary%@mail.example",
      "smtp://me:canary@mail.example/?secure=false",
      "canary",
    ]) {
      const faults = faultsOf({ ...mail, SMTP_URL: bad });
      expect(faults).toHaveLength(1);
      expect(faults[0]).toMatch(/^SMTP_URL (?!.*canary)/);
    }
    for (const bad of [
      "Kurabe",
      "a@b.example, c@d.example",
      "Kurabe <a@b.example>\r\nBcc: c@d.example",
    ]) {
      expect(faultsOf({ ...mail, SMTP_FROM: bad })).toHaveLength(1);
    }
  });

  it("takes a percent-encoded password of the database, and refuses another with its setting's name", () => {
    expect(faultsOf({ DATABASE_URL: "postgres://u:50%25@db/kurabe" })).toEqual([]);
    for (const canary of ["50%", "%zz", "%ff"])
      expect(faultsOf({ DATABASE_URL: `postgres://u:${canary}@db/kurabe` })).toEqual([
        "DATABASE_URL is not percent-encoded: write %25 for %",
      ]);
    for (const canary of ["a/canary", "a#canary"])
      expect(faultsOf({ DATABASE_URL: `postgres://u:${canary}@db/kurabe` })).toEqual([
        "DATABASE_URL must be a URL such as postgres://user:password@host:5432/name, the password percent-encoded",
      ]);
  });

  it("takes several search hosts, and no more copies than hosts", () => {
    const MEILI_HOST = "http://search-1:7700, http://search-2:7700";
    expect(loadConfig({ MEILI_HOST, SEARCH_COPIES: "2" })).toMatchObject({
      meiliHosts: ["http://search-1:7700", "http://search-2:7700"],
      searchCopies: 2,
    });
    expect(faultsOf({ MEILI_HOST, SEARCH_COPIES: "3" })).toEqual([
      "SEARCH_COPIES must be at most the number of hosts in MEILI_HOST",
    ]);
  });

  it("allows http for loopback addresses, whose sandbox needs no credentials", () => {
    for (const host of ["127.0.0.1:8080", "localhost:1", "[::1]:9"]) {
      expect(loadConfig({ STOREFRONT_BASE_URL: `http://${host}/` }).storefront.baseUrl).toBe(
        `http://${host}`,
      );
    }
  });

  it("asks for credentials when the upstream is not a loopback address", () => {
    expect(faultsOf({ STOREFRONT_BASE_URL: "https://api.example.com" })).toEqual([
      "STOREFRONT_CLIENT_ID is needed for this STOREFRONT_BASE_URL",
      "STOREFRONT_CLIENT_SECRET is needed for this STOREFRONT_BASE_URL",
    ]);
  });

  it("takes the secret from a file instead, and not from both", () => {
    const env = {
      STOREFRONT_BASE_URL: "https://api.example.com",
      STOREFRONT_CLIENT_ID: "id",
      STOREFRONT_CLIENT_SECRET_FILE: "/run/secrets/storefront",
    };
    expect(faultsOf(env)).toEqual([]);
    expect(faultsOf({ ...env, STOREFRONT_CLIENT_SECRET: "x" })).toHaveLength(1);
    expect(faultsOf({ TRUSTED_PROXIES: "10.0.0.0/8, ::1, 192.0.2.1" })).toEqual([]);
    for (const bad of ["proxy.example", "10.0.0.0/33", "10.0.0.0/8/8"]) {
      expect(faultsOf({ TRUSTED_PROXIES: bad })).toHaveLength(1);
    }
  });

  it("refuses an upstream address that carries credentials or a query", () => {
    expect(faultsOf({ STOREFRONT_BASE_URL: "https://me:canary@api.example.com/" })[0]).toBe(
      "STOREFRONT_BASE_URL must not carry credentials",
    );
    for (const end of ["?a=1", "?", "#", "#a"]) {
      expect(faultsOf({ STOREFRONT_BASE_URL: `https://api.example.com/${end}` })[0]).toBe(
        "STOREFRONT_BASE_URL must not have a query or a fragment",
      );
    }
  });

  it("refuses an address of the upstream that has the version of its paths, as documents show it", () => {
    for (const end of ["1", "1/", "1/search", "v/1/search/refresh/"]) {
      expect(faultsOf({ STOREFRONT_BASE_URL: `https://api.example.com/${end}` })[0]).toBe(
        "STOREFRONT_BASE_URL must end before the /1/ that every path of the upstream begins with",
      );
    }
    expect(loadConfig({ STOREFRONT_BASE_URL: "http://127.0.0.1:1/v1" }).storefront.baseUrl).toBe(
      "http://127.0.0.1:1/v1",
    );
  });

  it("takes an embedder of the search engine with its options, and quotes none of them in a fault", () => {
    const read = (value: unknown) =>
      loadConfig({ SEARCH_EMBEDDER: typeof value === "string" ? value : JSON.stringify(value) });
    expect(read({ source: "ollama", model: "all-minilm" }).embedder).toEqual({
      options: { source: "ollama", model: "all-minilm" },
      semanticRatio: 0.3,
    });
    const own = { source: "openAi", apiKey: "canary", semanticRatio: 0.5 };
    expect(read(own).embedder).toMatchObject({ options: { apiKey: "canary" }, semanticRatio: 0.5 });
    for (const bad of [
      "canary",
      '{"source":"rest","apiKey":"canary"',
      [],
      { source: "canary" },
      { ...own, apiKey: ["canary"] },
      { ...own, semanticRatio: 1.1 },
    ]) {
      expect(
        faultsOf({ SEARCH_EMBEDDER: typeof bad === "string" ? bad : JSON.stringify(bad) }),
      ).toEqual([
        "SEARCH_EMBEDDER must be a JSON object with a source (openAi, ollama, rest, huggingFace), options of Meilisearch for that source and, if wanted, semanticRatio from 0 to 1",
      ]);
    }
  });

  it("names what looks like a setting and is none", () => {
    const env = { STOREFRONT_DAYLY_LIMIT: "5", OPS_TOKEN: "t".repeat(32), CRAWL_KEYWORD: "" };
    expect(loadConfig(env).unknown).toEqual(["STOREFRONT_DAYLY_LIMIT"]);
  });

  it("reads lists, and takes an empty variable as unset", () => {
    const config = loadConfig({
      CRAWL_KEYWORDS: " 財布 , バッグ,,",
      PORT: " ",
    });
    expect(config.crawl.keywords).toEqual(["財布", "バッグ"]);
    expect(config.port).toBe(3000);
    // The commas that a Japanese keyboard types.
    expect(loadConfig({ CRAWL_KEYWORDS: "財布，バッグ、食器" }).crawl.keywords).toHaveLength(3);
  });
});
