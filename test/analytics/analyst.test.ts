import { stat } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ensureAnalyst } from "../../src/service/analyst.ts";
import { readQuestions, withValues } from "../../src/bench/analytics-data.ts";
import { must } from "../../src/lib/must.ts";
import { storeItems } from "../support/catalog.ts";
import { createTestDb, type TestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";
import { addEvents, addWebhook } from "../support/webhooks.ts";

const canary = "canary-7f3a";
let test: TestDb;
let dataDir: string;
let analyst: postgres.Sql;

beforeAll(async () => {
  test = await createTestDb();
  dataDir = join(inject("runDir"), "analyst");
  await storeItems(test.db, "2026-01-10T00:00:00Z", [
    searchItem(1),
    searchItem(2, { shopId: "shop-2" }),
  ]);
  await test.db.execute(sql`
    insert into api_call (day, purpose, operation, job, params, reserved_at, error)
    values ('2026-01-10', 'discovery', 'search', 'discover', ${JSON.stringify({ q: "財布", start: canary })}::text::jsonb,
      now(), ${canary})`);
  await test.db.execute(sql`
    insert into quarantine (call_id, reason, raw, seen_at) values (1, ${canary}, ${canary}, now())`);
  await test.db.execute(sql`
    insert into setting (key, value, updated_at) values ('secret', ${JSON.stringify(canary)}::text::jsonb, now())`);
  await test.db.execute(sql`
    insert into zero_result_query (q, times, visitors, last_at) values (${canary}, 9, 2, now())`);
  const { endpoint } = await addWebhook(test.db, `https://${canary}.example/`, new Date());
  await addEvents(test.db, endpoint.webhookId, new Date());
  await test.db.execute(sql`update webhook_delivery set last_error = ${canary}`);
  const url = must(await ensureAnalyst(test.db, dataDir, test.url), "the analysts' role");
  analyst = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
});
afterAll(async () => {
  await analyst.end();
  await test.close();
});

async function refusal(statement: string): Promise<string> {
  try {
    await analyst.unsafe(`begin read write; ${statement}; commit`);
    return "done";
  } catch (error) {
    await analyst.unsafe("rollback");
    return error instanceof postgres.PostgresError ? error.code : String(error);
  }
}

const DENIED = "42501";

/** Views and tables, with their schema, in the schemas that are not Postgres's own. */
async function relations(): Promise<{ name: string; schema: string }[]> {
  return test.db.execute<{ name: string; schema: string }>(sql`
    select format('%I.%I', c.relnamespace::regnamespace, c.relname) as name, c.relnamespace::regnamespace::text as schema
    from pg_class c where c.relkind in ('r', 'v', 'm', 'p', 'S', 'f')
      and c.relnamespace::regnamespace::text !~ '^(pg_|information_schema)' order by 1`);
}

describe("schema analytics", () => {
  it("explains every object and column", async () => {
    const silent = await test.db.execute(sql`
      select oid::regclass::text as name from pg_class
      where relnamespace = 'analytics'::regnamespace and obj_description(oid, 'pg_class') is null
      union all
      select attrelid::regclass || '.' || attname from pg_attribute a join pg_class c on c.oid = attrelid
      where relnamespace = 'analytics'::regnamespace and attnum > 0 and col_description(attrelid, attnum) is null
      union all
      select oid::regprocedure::text from pg_proc
      where pronamespace = 'analytics'::regnamespace and obj_description(oid, 'pg_proc') is null
      union all
      select 'schema' where obj_description('analytics'::regnamespace, 'pg_namespace') is null`);
    expect([...silent]).toEqual([]);
  });

  it("has views and functions only, under the promised names", async () => {
    const names = (await relations()).filter(({ schema }) => schema === "analytics");
    const promised =
      "products shops variations price_history price_daily price_drops offers calls budget_days";
    for (const name of `${promised} keyword_yield shop_volatility freshness groups group_members group_changes product_attributes events zero_results deliveries`.split(
      " ",
    ))
      expect(names.map((row) => row.name)).toContain(`analytics.${name}`);
    const [other] = await test.db.execute<{ n: number }>(sql`
      select count(*) as n from pg_class where relnamespace = 'analytics'::regnamespace and relkind <> 'v'`);
    expect(other?.n).toBe(0);
  });
});

describe("the analysts' role", () => {
  it("logs in with a password kept for its owner's eyes, and is held to a time limit", async () => {
    const [row] =
      await analyst`select current_user as who, current_setting('statement_timeout') as timeout,
      current_setting('default_transaction_read_only') as read_only`;
    expect(row).toEqual({ who: "kurabe_analyst", timeout: "30s", read_only: "on" });
    expect((await stat(join(dataDir, "analyst-password"))).mode & 0o777).toBe(0o600);
    const again = await ensureAnalyst(test.db, dataDir, test.url);
    expect(new URL(must(again, "a url")).password).toMatch(/^[0-9a-f]{48}$/);
  });

  it("reads every view, and finds no parameter, raw text, setting or error in any", async () => {
    for (const { name, schema } of await relations()) {
      if (schema !== "analytics") continue;
      const text = JSON.stringify(await analyst.unsafe(`select t::text from ${name} t`));
      expect([name, text.includes(canary)]).toEqual([name, false]);
    }
    expect(
      await analyst`select price, state from analytics.price_at(1, '2026-01-10T00:00:00Z')`,
    ).toEqual([{ price: "4200", state: "confirmed" }]);
  });

  it("answers every worked question", async () => {
    const values = {
      gtin: "4901234567894",
      item_id: 1,
      at: "2026-01-10T00:00:00Z",
      until: "2026-01-10",
      holiday: "2026-01-12",
      second_holiday: "2026-02-11",
    };
    const questions = await readQuestions();
    expect(questions.length).toBeGreaterThan(10);
    const answers = new Map<string, number>();
    for (const { title, sql } of questions)
      answers.set(title, (await analyst.unsafe(withValues(sql, values))).length);
    expect(answers.get("Which shop was cheapest for a JAN, day by day?")).toBe(1);
    expect(answers.get("How far apart are shops for the same product?")).toBe(1);
    expect(answers.get("What were the last 1,000 calls worth?")).toBe(1);
    expect(answers.get("What did a product cost at a moment?")).toBe(1);
    expect(answers.get("Is this really its lowest price?")).toBe(4);
  });

  it("is refused every table and sequence outside the schema", async () => {
    const others = (await relations()).filter(({ schema }) => schema !== "analytics");
    expect(others.length).toBeGreaterThan(20);
    for (const { name } of others)
      expect([name, await refusal(`select * from ${name}`)]).toEqual([name, DENIED]);
    expect(await refusal("select * from pg_authid")).toBe(DENIED);
  });

  it("may change nothing in any view", async () => {
    const [row] = await test.db.execute<{ n: number }>(sql`
      select count(*) as n from pg_class c, unnest(array['insert', 'update', 'delete', 'truncate']) p(name)
      where c.relkind in ('r', 'p', 'v') and c.relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
        and has_table_privilege('kurabe_analyst', c.oid, p.name)`);
    expect(row?.n).toBe(0);
    expect(await refusal("update analytics.variations set variation = ''")).toBe(DENIED);
  });

  it("is refused every function of ours outside the schema", async () => {
    const open = await test.db.execute(sql`
      select oid::regprocedure::text as name from pg_proc
      where pronamespace::regnamespace::text !~ '^(pg_|information_schema|analytics)'
        and prorettype <> 'trigger'::regtype and has_function_privilege('kurabe_analyst', oid, 'execute')`);
    expect([...open]).toEqual([]);
  });

  it.each([
    "create table t (x int)",
    "create table analytics.t (x int)",
    "create temp table t (x int)",
    "create view analytics.v as select 1",
    "create function analytics.f() returns int language sql as 'select 1'",
    "create schema s",
    "create role r",
    "alter role kurabe_analyst superuser",
    "set role kurabe",
    "select lo_create(0)",
    "select lo_from_bytea(0, 'x')",
    "select pg_advisory_lock(1)",
    "select pg_try_advisory_xact_lock(1)",
    "select public.mirror_mark_dirty(array[1]::bigint[])",
    "select pg_read_file('postgresql.conf')",
    "copy (select 1) to program 'true'",
    "copy (select 1) to '/tmp/x'",
    "select pg_reload_conf()",
    "lock table analytics.variations in access exclusive mode",
  ])("is refused: %s", async (statement) => {
    expect(await refusal(statement)).toBe(DENIED);
  });
});
