import { setTimeout as pause } from "node:timers/promises";
import { must } from "../../../src/lib/must.ts";
import { freePort } from "../../support/free-port.ts";
import { openFaultProxy } from "../../support/fault-proxy.ts";
import { spawnKurabe } from "../../support/processes.ts";
import { until } from "../../support/until.ts";
import { sample } from "../soak.ts";
import { ceiling, figure, type Figure } from "./case.ts";
import type { JudgedCase, Site } from "./service-case.ts";
import { ask, consoleForm, insist, type Seen } from "./visitors.ts";

const withToken = ({ world }: Site) => ({ authorization: `Bearer ${world.opsToken}` });
const nothing = async () => async () => {};
const json = (seen: Seen) => JSON.parse(seen?.body.toString() ?? "null") as unknown;

async function count(site: Site, query: string): Promise<number> {
  return site.world.servers.sql(async (sql) => {
    const [row] = await sql.unsafe<{ n: string }[]>(query);
    return Number(row?.n);
  });
}

/** Spellings of one name; each has to be found by either. */
export const variants = [
  ["髙橋", "高橋"],
  ["山﨑", "山崎"],
  ["渡邊", "渡辺"],
  ["德川", "徳川"],
] as const;

async function variantsFound(site: Site): Promise<number> {
  let found = 0;
  for (const [i, pair] of variants.entries()) {
    for (const spelling of pair) {
      const path = `/v1/products?q=${encodeURIComponent(spelling)}&per_page=100`;
      const { items = [] } = (json(await ask(site.url(), { path })) ?? {}) as {
        items?: { item_id: number }[];
      };
      const ids = items.map((item) => item.item_id);
      const wanted = [variantId(i, 0), variantId(i, 1)];
      found += wanted.filter((id) => ids.includes(id)).length;
    }
  }
  return found;
}

export function variantId(pair: number, spelling: number): number {
  return 80_000_000 + pair * 10 + spelling;
}

/** Leftovers that daily upkeep removes or sums up, each by its own task: how many are done. */
const leftovers: readonly { name: string; make: string; left: string }[] = [
  {
    name: "runs",
    make: `insert into job_run (job, trigger, started_at, finished_at, outcome)
      values ('feed', 'cron', now() - interval '90 days', now() - interval '90 days', 'done')`,
    left: `select count(*) as n from job_run where finished_at < now() - interval '60 days'`,
  },
  {
    name: "requests",
    make: `insert into refresh_request (item_id, requested_at, due_at, done_at, outcome)
      select min(item_id), now() - interval '90 days', now() - interval '90 days', now() - interval '90 days', 'answered'
      from product`,
    left: `select count(*) as n from refresh_request where done_at < now() - interval '60 days'`,
  },
  {
    name: "batches",
    make: `insert into mirror_batch (index_uid, lease_epoch, operation, rows, state, created_at, updated_at)
      select index_uid, 0, 'replace', '[]', 'succeeded', now() - interval '9 days', now() - interval '9 days'
      from mirror_index where state = 'serving'`,
    left: `select count(*) as n from mirror_batch
      where state = 'succeeded' and updated_at < now() - interval '5 days'`,
  },
];

/** What is left of the rest is judged by something else than how many requests are answered. */
export const judgedCases: readonly JudgedCase[] = [
  {
    ids: ["B16"],
    what: "one task of the daily upkeep always fails",
    subject: "the sums of calls by day",
    async apply(site) {
      await site.world.servers.sql((sql) =>
        sql.unsafe(`create function lasting_upkeep() returns trigger language plpgsql as $$
          begin raise exception 'refused for this case' using errcode = '57014'; end $$;
          create trigger lasting_upkeep before insert or update on call_day
          for each statement execute function lasting_upkeep()`),
      );
      return async () => {
        await site.world.servers.sql((sql) => sql.unsafe("drop function lasting_upkeep cascade"));
      };
    },
    async judge(site) {
      for (const { make } of leftovers) await site.world.servers.sql((sql) => sql.unsafe(make));
      const headers = { ...withToken(site), "content-type": "application/json" };
      await ask(site.url(), { method: "POST", path: "/ops/v1/jobs/housekeeping/run", headers });
      await until(
        async () =>
          (await count(
            site,
            `select count(*) as n from job_run where job = 'housekeeping' and finished_at is null`,
          )) === 0,
        { what: "the upkeep to end", timeoutMs: 60_000 },
      );
      const left = await Promise.all(leftovers.map((one) => count(site, one.left)));
      const done = left.filter((n) => n === 0).length;
      return [figure("other tasks of the upkeep done", leftovers.length, done)];
    },
  },
  {
    ids: ["B22", "P6"],
    what: "4,000 distinct pages of 100 hits, as fast as they are answered",
    subject: "8 clients",
    apply: nothing,
    async judge(site) {
      const api = site.world.fleet.api();
      const browse = async (pages: number, path: (n: number) => string) => {
        let answered = 0;
        const stop = insist(site, 8, (n) => ({ path: path(n) }), { told: () => (answered += 1) });
        try {
          await until(() => answered >= pages, { what: `${pages} pages`, timeoutMs: 600_000 });
        } finally {
          await stop();
        }
      };
      // The same few pages warm up whatever a process needs once.
      await browse(500, (n) => `/v1/products?per_page=100&page=${1 + (n % 5)}`);
      const { rssMiB: before } = await sample(api, 0);
      await browse(
        4000,
        (n) =>
          `/v1/products?per_page=100&page=${1 + (n % 5)}&price_min=${n % 800}&price_max=${9_000_000 + n}`,
      );
      const { rssMiB: after } = await sample(api, 0);
      return [ceiling("MiB that the API holds (as before and 150 more)", before + 150, after)];
    },
  },
  {
    ids: ["B23"],
    what: "strangers sign out all the time",
    subject: "4 clients without a session",
    apply: async (site) => insist(site, 4, () => consoleForm(site.url(), "/ops/sign-out", "")),
    async judge(site) {
      const headers = withToken(site);
      const acts = 5;
      const newest = await count(site, "select coalesce(max(id), 0) as n from ops_audit");
      for (let i = 0; i < acts; i += 1) {
        await ask(site.url(), { method: "POST", path: "/ops/v1/resume", headers });
      }
      await pause(4000);
      const { items = [] } = (json(
        await ask(site.url(), { path: "/ops/v1/audit?limit=100", headers }),
      ) ?? {}) as { items?: { id: number; via: string }[] };
      const own = items.filter(({ id, via }) => id > newest && via === "api").length;
      return [figure("deeds of ops among the newest 100 of the audit log", acts, own)];
    },
  },
  {
    ids: ["B25"],
    what: "numbers that are no product are looked at all the time",
    subject: "4 clients",
    apply: async (site) =>
      insist(site, 4, (n) => ({ path: `${n % 2 ? "/v1" : ""}/products/${700_000_000 + n}` })),
    async judge(site) {
      await pause(9000);
      const rows = await count(
        site,
        "select count(*) as n from demand d where not exists (select from product p where p.item_id = d.item_id)",
      );
      return [ceiling("rows kept of products nobody knows", 20, rows)];
    },
  },
  {
    ids: ["B27"],
    what: "one visitor asks for refreshes all the time",
    subject: "one address",
    async apply(site) {
      // A slice of some 40 calls, in a day whose other calls are made at an even pace.
      const setSlice = (share: number) =>
        site.world.servers.sql(async (sql) => {
          await sql`update job set settings = settings || ${JSON.stringify({ on_demand_share: share })}::text::jsonb
            where name = 'revalidate'`;
          // Shortly before midnight enough is left all the same.
          await sql`update budget_day set used = least(limit_calls - 500, limit_calls * extract(epoch from
            now() at time zone 'Asia/Tokyo' - date_trunc('day', now() at time zone 'Asia/Tokyo')) / 86400 + 50)`;
        });
      await setSlice(0.0002);
      const stop = insist(site, 8, (n) => ({
        method: "POST",
        path: `/v1/products/${must(site.itemIds[(n * 7) % site.itemIds.length], "an id")}/refresh?min_age_s=1`,
        headers: { "x-forwarded-for": "192.0.2.1" },
      }));
      await pause(8000);
      return async () => {
        await stop();
        await setSlice(0.05);
      };
    },
    async judge(site) {
      const asked = 10;
      let answered = 0;
      for (let i = 0; i < asked; i += 1) {
        const seen = await ask(site.url(), {
          method: "POST",
          path: `/v1/products/${must(site.itemIds[(500 + i * 13) % site.itemIds.length], "an id")}/refresh?min_age_s=1`,
          headers: { "x-forwarded-for": `192.0.2.${50 + i}` },
        });
        if (seen?.status === 200 || seen?.status === 202) answered += 1;
      }
      return [figure("refreshes of others granted", asked, answered)];
    },
  },
  {
    ids: ["B30"],
    what: "the engine is away and names are spelt in two ways",
    subject: "the engine",
    async apply({ world }) {
      await world.fleet.api().setFault("engine", { mode: "refuse" });
      return () => world.fleet.api().setFault("engine", { mode: "pass" });
    },
    async judge(site) {
      return [figure("spellings found", variants.length * 4, await variantsFound(site))];
    },
  },
  {
    ids: ["B32", "D1"],
    what: "the database never answers a process that starts",
    subject: "the database, as a second API sees it",
    apply: nothing,
    judge: judgeStart,
  },
];

async function judgeStart({ world }: Site): Promise<Figure[]> {
  const proxy = await openFaultProxy({ host: "127.0.0.1", port: 1 });
  await proxy.set({ mode: "hang" });
  const port = await freePort();
  const database = new URL(world.servers.databaseUrl);
  database.port = String(proxy.port);
  const api = spawnKurabe(["api"], {
    env: {
      ...world.fleet.env,
      DATA_DIR: `${world.fleet.env["DATA_DIR"]}/starting`,
      DATABASE_URL: database.href,
      MEILI_HOST: world.servers.engine.host,
      PORT: String(port),
    },
    detached: true,
  });
  try {
    const url = `http://127.0.0.1:${port}`;
    await until(async () => (await ask(url, { path: "/healthz" }))?.status === 200, {
      what: "the process to be alive",
      timeoutMs: 30_000,
    });
    const paths = ["/", "/v1/products?q=a", "/v1/status", "/v1/shops", "/products/1", "/readyz"];
    const seen = await Promise.all(paths.map((path) => ask(url, { path }, 8000)));
    const right = seen.filter(
      (one) => one?.status === 503 && one.headers.has("retry-after"),
    ).length;
    return [figure("requests answered 503 with Retry-After", paths.length, right)];
  } finally {
    api.kill("SIGKILL");
    await api.ended;
    await proxy.close();
  }
}
