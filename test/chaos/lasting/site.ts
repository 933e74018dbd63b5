import { must } from "../../../src/lib/must.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { until } from "../../support/until.ts";
import { openWorld } from "../world.ts";
import { variantId, variants } from "./judged-cases.ts";
import type { Site } from "./service-case.ts";
import { ask } from "./visitors.ts";

export interface SiteOptions {
  /** An existing folder that the servers' account may enter. */
  dataDir: string;
  seed: number;
  products: number;
}

export interface RunningSite extends Site {
  /** A new API, which remembers nothing, and everything in order again. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

/** Three calls a second, all day: what a busy machine still makes at an even pace. */
const callsADay = 3 * 86_400;

/** Two workers and an API that have found everything and go on looking at an even pace. */
export async function openSite({ dataDir, seed, products }: SiteOptions): Promise<RunningSite> {
  const world = await openWorld({
    dataDir,
    seed,
    workers: 2,
    products,
    dailyLimit: callsADay,
    env: { CRAWL_PACING: "smooth", TRUSTED_PROXIES: "127.0.0.1" },
  });
  const { fleet, sandbox, servers } = world;
  try {
    const { control } = sandbox;
    const models = control.items().filter((item) => item["visible"] === 1);
    const modified = Math.floor(systemClock.now().getTime() / 1000);
    for (const [i, pair] of variants.entries()) {
      for (const [j, name] of pair.entries()) {
        const model = must(models[i], "a product");
        const title = `${name}の印 ${i}`;
        control.add({ ...model, item_id: variantId(i, j), title, variations: [], modified });
      }
    }
    const items = control.items().filter((item) => item["visible"] === 1);
    await Promise.all(fleet.slots.map((slot) => slot.ready()));
    const site: RunningSite = {
      world,
      url: () => fleet.api().url(),
      itemIds: items.map((item) => Number(item["item_id"])).filter((id) => id < 80_000_000),
      words: wordsOf(items.map((item) => String(item["title"]))),
      async heal() {
        fleet.api().kill();
        await Promise.all(fleet.slots.map((slot) => slot.ready()));
        await until(() => isWell(site, items.length), { what: "everything to be well again" });
      },
      close: world.close,
    };
    await until(() => isWell(site, items.length), {
      what: "everything to be found",
      timeoutMs: 240_000,
    });
    await servers.sql((sql) => sql`analyze`);
    return site;
  } catch (error) {
    await world.close();
    throw error;
  }
}

/** True, or throws what is still amiss. */
async function isWell({ url, words, world }: Site, products: number): Promise<true> {
  const path = `/v1/products?q=${encodeURIComponent(words[0] ?? "")}&price_max=${Math.floor(performance.now())}`;
  const seen = await ask(url(), { path }, 2000);
  const [row] = await world.servers.sql(
    (sql) => sql<{ known: string; dirty: string }[]>`
      select (select count(*) from product where state <> 'gone') as known,
        (select count(*) from mirror join mirror_index using (index_uid)
          where state = 'serving' and desired_version > indexed_version) as dirty`,
  );
  const amiss = [
    seen?.body.includes('"engine":"meilisearch","degraded":false')
      ? ""
      : "the engine does not answer",
    Number(row?.known) < 0.99 * products ? `${row?.known} of ${products} products` : "",
    Number(row?.dirty) < 50 ? "" : `${row?.dirty} documents on their way`,
  ].filter((text) => text !== "");
  if (amiss.length > 0) throw new Error(amiss.join(", "));
  return true;
}

const segmenter = new Intl.Segmenter("ja", { granularity: "word" });

function wordsOf(titles: readonly string[]): string[] {
  const words = titles.flatMap((title) =>
    [...segmenter.segment(title.normalize("NFKC"))].flatMap(({ segment, isWordLike }) =>
      isWordLike && segment.length > 1 ? [segment] : [],
    ),
  );
  return [...new Set(words)].slice(0, 400);
}
