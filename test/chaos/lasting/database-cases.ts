import { setTimeout as pause } from "node:timers/promises";
import postgres from "postgres";
import { until } from "../../support/until.ts";
import { everySecond, sqlOn } from "./on-site.ts";
import { everything, type ProbedCase, type Site } from "./service-case.ts";

/** A transaction of somebody else that stays open. */
function openTransaction(
  ids: readonly string[],
  what: string,
  statement: (site: Site) => string,
): ProbedCase {
  return {
    ids,
    what,
    subject: "a session of somebody else",
    probes: everything,
    warmSeconds: 5,
    async apply(site) {
      const sql = postgres(site.world.servers.databaseUrl, { max: 1, onnotice: () => {} });
      const over = new AbortController();
      let hasBegun = false;
      const holding = sql.begin(async (tx) => {
        await tx.unsafe(statement(site));
        hasBegun = true;
        while (!over.signal.aborted) await pause(100);
      });
      await until(() => hasBegun, { what: "the transaction to begin" });
      return async () => {
        over.abort();
        await holding;
        await sql.end();
      };
    },
  };
}

/** A Postgres that goes on, but not as it should. */
export const databaseCases: readonly ProbedCase[] = [
  {
    ids: ["D4"],
    what: "no room for new products in Postgres (53100)",
    subject: "writes of products",
    probes: ["engine searches", "products", "pages", "ops"],
    async apply(site) {
      await sqlOn(
        site,
        `create function lasting_full() returns trigger language plpgsql as $$
         begin raise exception 'No space left on device' using errcode = '53100'; end $$;
         create trigger lasting_full before insert or update on product
         for each statement execute function lasting_full()`,
      );
      return async () => void (await sqlOn(site, "drop function lasting_full cascade"));
    },
  },
  {
    ids: ["D6"],
    what: "Postgres is read-only",
    subject: "every write",
    probes: ["engine searches", "products", "pages", "health"],
    warmSeconds: 2,
    async apply(site) {
      const set = async (value: "on" | "off") => {
        await sqlOn(site, `alter system set default_transaction_read_only = ${value}`);
        await sqlOn(site, "select pg_reload_conf()");
      };
      await set("on");
      return () => set("off");
    },
  },
  openTransaction(
    ["D5", "B2"],
    "one product's row is locked",
    ({ itemIds }) => `select from product where item_id = ${itemIds[5]} for update`,
  ),
  openTransaction(
    ["D11"],
    "a transaction stays open that has written",
    () => "create temporary table lasting (n int) on commit drop; insert into lasting values (1)",
  ),
  {
    ids: ["D8", "D6"],
    what: "sessions of Kurabe are ended, one every second",
    subject: "one session at a time",
    probes: ["engine searches", "products", "ops", "answers stored"],
    apply: (site) =>
      everySecond(() =>
        sqlOn(
          site,
          `select pg_terminate_backend(pid) from (select pid from pg_stat_activity
           where application_name like 'kurabe:%' order by random() limit 1) s`,
        ),
      ),
  },
];
