import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { apiWithoutDb } from "../support/api.ts";
import { kurabeEnv } from "../support/kurabe-env.ts";
import { freePort } from "../support/free-port.ts";
import { createTestDb, openPool } from "../support/postgres.ts";
import { killStarted, spawnKurabe } from "../support/processes.ts";
import { until } from "../support/until.ts";

afterEach(killStarted);

/** A database without a table, whose migrations wait until they are let. */
async function heldDatabase(): Promise<{ url: string; letMigrate(): Promise<void> }> {
  const test = await createTestDb();
  onTestFinished(test.close);
  const name = `empty_${randomBytes(6).toString("hex")}`;
  await test.db.execute(sql`create database ${sql.identifier(name)}`);
  onTestFinished(async () => {
    await test.db.execute(sql`drop database ${sql.identifier(name)} with (force)`);
  });
  const url = new URL(test.url);
  url.pathname = name;
  const holder = openPool(url.href, { maxConnections: 1 });
  // As `migrateDb` takes it: who holds it holds up every process's migrations.
  await holder.db.execute(sql`select pg_advisory_lock(hashtextextended('kurabe:migrate', 0))`);
  let isHeld = true;
  const letMigrate = async () => {
    if (isHeld) await holder.close();
    isHeld = false;
  };
  onTestFinished(letMigrate);
  return { url: url.href, letMigrate };
}

/** One address of each route of the API, and the pages. */
async function requests(): Promise<{ method: string; path: string }[]> {
  const { paths } = (await (await apiWithoutDb().get("/openapi.json")).json()) as {
    paths: Record<string, object>;
  };
  const routes = Object.entries(paths).flatMap(([path, on]) =>
    Object.keys(on).map((method) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{\w+\}/g, "1"),
    })),
  );
  const pages = ["/", "/products/1", "/ops", "/ops/plan", "/docs", "/openapi.json", "/nowhere"];
  return [...routes, ...pages.map((path) => ({ method: "GET", path }))];
}

const exempt = new Set(["/healthz", "/metrics"]);

describe("until the migrations have ended", () => {
  it("B32: every address says 503 and when to come again, and then answers", async () => {
    const { url: databaseUrl, letMigrate } = await heldDatabase();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const kurabe = spawnKurabe(["api"], {
      env: {
        ...(await kurabeEnv(databaseUrl)),
        PORT: String(port),
        LOG_FORMAT: "json",
      },
    });
    await until(async () => (await fetch(`${url}/healthz`)).ok, { what: "the process to listen" });
    for (const { method, path } of await requests()) {
      if (exempt.has(path)) continue;
      const answer = await fetch(`${url}${path}`, { method });
      expect([method, path, answer.status]).toEqual([method, path, 503]);
      expect(answer.headers.get("Retry-After")).toMatch(/^\d+$/);
      const body: unknown = await answer.json();
      const isMeili = path.startsWith("/meili/");
      expect(body).toMatchObject(
        isMeili ? { code: "internal", type: "internal" } : { code: "not_ready" },
      );
      expect("message" in Object(body)).toBe(isMeili);
    }
    const page = await fetch(`${url}/products/1`, { headers: { Accept: "text/html" } });
    expect([page.status, page.headers.get("Retry-After")]).toEqual([503, "5"]);
    expect(await page.text()).toContain("<!doctype html>");
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain("kurabe_database_up 0");
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await letMigrate();
    const seen = new Set<number>();
    const ready = async () => {
      for (const path of ["/readyz", "/v1/status", "/v1/products", "/"]) {
        seen.add((await fetch(`${url}${path}`)).status);
      }
      return (await fetch(`${url}/readyz`)).ok;
    };
    await until(ready, { what: "Kurabe to be ready" });
    expect([...seen].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    for (const path of ["/", "/v1/products", "/v1/status", "/v1/shops"]) {
      expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200]);
    }
    expect(kurabe.stdout()).not.toContain('"status":500');
  });
});
