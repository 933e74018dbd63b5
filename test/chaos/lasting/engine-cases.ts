import { setTimeout as pause } from "node:timers/promises";
import { must } from "../../../src/lib/must.ts";
import { openFullEngine } from "../full-engine.ts";
import { tamperWithEngine } from "./engine-tamper.ts";
import { askEngine, everySecond, indexesOf, sqlOn } from "./on-site.ts";
import { beyondTheEngine, type ProbedCase } from "./service-case.ts";

/** An engine that goes on, but not as it should. */
export const engineCases: readonly ProbedCase[] = [
  {
    ids: ["M4", "M5"],
    what: "one document fails every task it is in",
    subject: "one product",
    probes: ["engine searches", "documents synced"],
    warmSeconds: 2,
    async apply(site) {
      const id = must(site.itemIds[11], "a product");
      const stop = await tamperWithEngine(site.world, (method, path, body) =>
        method !== "GET" && /\/documents(\?|$)/.test(path) && body.includes(`"id":${id},`)
          ? { body: body.replace(`"id":${id},`, '"id":"no id at all !",') }
          : {},
      );
      const stopTouching = await everySecond(() =>
        sqlOn(site, `update product set stock = stock + 1, ver = ver + 1 where item_id = ${id}`),
      );
      return async () => {
        await stopTouching();
        await stop();
        await sqlOn(site, `update product set ver = ver + 1 where item_id = ${id}`);
      };
    },
  },
  {
    ids: ["M10", "M11"],
    what: "the engine's disk is full",
    subject: "the engine's writes",
    probes: ["engine searches", "products", "ops", "answers stored"],
    async apply({ world }) {
      const { hostname, port } = new URL(world.servers.engine.host);
      const full = await openFullEngine(world.servers.engine.host);
      await world.fleet.setEngine(full.target);
      return async () => {
        await world.fleet.setEngine({ host: hostname, port: Number(port) });
        await full.close();
      };
    },
  },
  {
    ids: ["M8"],
    what: "the engine refuses the key for writing",
    subject: "the engine's writes",
    probes: ["engine searches", "products", "ops", "answers stored"],
    apply: ({ world }) =>
      tamperWithEngine(world, (method, path) =>
        method !== "GET" && /\/(documents|settings|indexes)(\?|$|\/delete)/.test(path)
          ? { status: 403 }
          : {},
      ),
  },
  {
    ids: ["M1", "B20"],
    what: "one search in forty takes the engine 20 s",
    subject: "searches that meet it",
    probes: ["engine searches", "products", "pages", "ops"],
    warmSeconds: 3,
    apply({ world }) {
      let n = 0;
      return tamperWithEngine(world, (_, path) => {
        const isSearch = /search/.test(path);
        if (isSearch) n += 1;
        return isSearch && n % 40 === 0 ? { delayMs: 20_000 } : {};
      });
    },
  },
  {
    ids: ["M7"],
    what: "somebody changes the index's settings every second",
    subject: "the settings",
    probes: ["engine searches", "products", "ops"],
    async apply(site) {
      const uid = must(
        (await indexesOf(site)).find((one) => one.startsWith("products")),
        "an index",
      );
      let n = 0;
      return everySecond(() => {
        n += 1;
        const synonyms = { [`word${n}`]: ["other"] };
        return askEngine(site, "PATCH", `/indexes/${uid}/settings`, { synonyms });
      });
    },
  },
  {
    ids: ["B17", "B29", "M6", "M12"],
    what: "the index is lost again as soon as it is back",
    subject: "the index",
    probes: beyondTheEngine,
    warmSeconds: 3,
    async apply(site) {
      return everySecond(async () => {
        for (const uid of await indexesOf(site)) await askEngine(site, "DELETE", `/indexes/${uid}`);
        await pause(4000);
      });
    },
  },
];
