import { sql } from "drizzle-orm";
import { updateJob } from "../../../src/crawl/budget/jobs.ts";
import { createRandom } from "../../../src/lib/random.ts";
import { createSearchIndex, searchableFields } from "../../../src/sandbox/search/search.ts";
import type { TestDb } from "../../support/postgres.ts";
import { createSimulatedCrawl, type SimulatedCrawl } from "../../support/simulated-crawl.ts";
import { ceiling, figure, type Figure } from "./case.ts";
import {
  isHidden,
  type ArrivedCall,
  type CrawlCase,
  type CrawlMeasure,
  type CrawlSetting,
  type Market,
  type Subject,
} from "./crawl-case.ts";

/** What we held, and what was right, at one moment. */
interface Sample {
  known: ReadonlySet<number>;
  right: ReadonlySet<number>;
  /** Looked at within the maximum age. */
  young: ReadonlySet<number>;
  /** What there was at the beginning and still is, shown by searches or not. */
  sold: ReadonlySet<number>;
  /** New for an hour at least. */
  newcomers: ReadonlySet<number>;
}

interface Run {
  samples: readonly Sample[];
  lateCalls: readonly ArrivedCall[];
}

const usual: CrawlSetting = {
  products: 1200,
  dailyLimit: 480,
  hours: 7,
  maxAgeDays: null,
  refreshesOnly: false,
};
const samplesAnHour = 4;
const CALLS_TO_FIND_OUT = 8;
/** One product of so many is edited between two samples. */
const editsShare = 40;
/** Real time for an answer: a keyword that never answers costs this a try. */
const timeoutMs = 400;

export interface CrawlRuns {
  play(one: CrawlCase): Promise<{ subject: string; figures: Figure[] }>;
}

/** Plays cases of the crawl against a control without the fault, which cases of one setting share. */
export function createCrawlRuns(options: {
  seed: number;
  openDb(): Promise<TestDb>;
  setting?: Partial<CrawlSetting>;
}): CrawlRuns {
  const { seed, openDb } = options;
  const controls = new Map<string, Promise<Run>>();

  async function run(setting: CrawlSetting, one: CrawlCase | null): Promise<[Run, Subject | null]> {
    const crawl = await createSimulatedCrawl({
      keywords: [],
      sandbox: { products: setting.products, seed, dailyLimit: 1_000_000 },
      rules: { dailyLimit: setting.dailyLimit },
      idleMinutes: 3,
      timeoutMs,
      endures: true,
      test: await openDb(),
    });
    try {
      for (const q of crawl.sandbox.keywords) await crawl.addKeyword(q);
      if (setting.maxAgeDays !== null) {
        const settings = { max_age_days: setting.maxAgeDays };
        await updateJob(crawl.db, "revalidate", { settings }, crawl.clock.now());
      }
      const market = readMarket(crawl);
      const subject = one?.choose(market) ?? null;
      const apply = async (start: CrawlCase["start"]) => {
        if (one && subject && one.start === start) await one.apply(crawl, subject, market);
      };
      await apply("before the first call");
      await crawl.pass(1);
      const samples = [await sample(crawl, 1, setting, new Map())];
      const callsBefore = crawl.calls();
      if (setting.refreshesOnly) {
        // What is watched then is the refreshes: by chance searches may have shown everything.
        for (const job of ["discover", "feed"] as const) {
          await updateJob(crawl.db, job, { settings: { weight: 0 } }, crawl.clock.now());
        }
      }
      if (setting.maxAgeDays !== null) await crawl.keepMaximumAge();
      await apply("after the first hour");
      samples.push(...(await live(crawl, setting, seed)));
      return [
        { samples, lateCalls: crawl.sandbox.control.calls.all().slice(callsBefore) },
        subject,
      ];
    } finally {
      await crawl.close();
    }
  }

  function controlOf(setting: CrawlSetting): Promise<Run> {
    const key = JSON.stringify(setting);
    const control = controls.get(key) ?? run(setting, null).then(([played]) => played);
    controls.set(key, control);
    return control;
  }

  return {
    async play(one) {
      const setting = { ...usual, ...options.setting, ...one.setting };
      const control = await controlOf(setting);
      const [faulty, subject] = await run(setting, one);
      const spared = subject?.itemIds ?? new Set<number>();
      const figures = one.measures.map((measure) =>
        figure(
          names[measure],
          pace(control, measure, spared, setting),
          pace(faulty, measure, spared, setting),
        ),
      );
      const { isAbout } = subject ?? {};
      if (isAbout && one.mostCalls !== undefined) {
        const about = faulty.lateCalls.filter(isAbout).length;
        // Halving takes seven, and the first tries after it follow soon: they do not grow with the time.
        const spent = Math.max(0, about - CALLS_TO_FIND_OUT) / faulty.lateCalls.length;
        const measure = `calls spent on the subject after the first hour and the ${CALLS_TO_FIND_OUT} that find out what is at fault`;
        figures.push(ceiling(measure, one.mostCalls, spent));
      }
      return { subject: subject?.name ?? "", figures };
    },
  };
}

const names: Record<CrawlMeasure, string> = {
  found: "products found in the first hour",
  fresh: "products whose price is the upstream's, over the day",
  newcomers: "new products known, over the day",
  "within age": "products looked at within the maximum age",
};

/** The measure's mean over the samples, of all products but the subject's. */
function pace(
  { samples }: Run,
  measure: CrawlMeasure,
  spared: ReadonlySet<number>,
  { maxAgeDays }: CrawlSetting,
): number {
  const [first, ...rest] = samples;
  // All that was found in the first hour is younger than the maximum age until that has passed.
  const firstTold = measure === "within age" ? (maxAgeDays ?? 0) * 24 * samplesAnHour : 0;
  const later = rest.slice(firstTold);
  const share = (part: ReadonlySet<number>, of: ReadonlySet<number>) => {
    const rest = [...of].filter((id) => !spared.has(id));
    return rest.length === 0 ? 1 : rest.filter((id) => part.has(id)).length / rest.length;
  };
  if (measure === "found") return first ? share(first.known, first.sold) : 0;
  const shares = later.map((one) => {
    if (measure === "fresh") return share(one.right, one.sold);
    if (measure === "newcomers") return share(one.known, one.newcomers);
    return share(one.young, one.sold);
  });
  return shares.reduce((sum, one) => sum + one, 0) / Math.max(1, shares.length);
}

function readMarket({ sandbox }: SimulatedCrawl): Market {
  const index = createSearchIndex(sandbox.catalog);
  const found = (q: string) =>
    index.find({
      q,
      sort: [{ column: "item_id", direction: "asc" }],
      fields: searchableFields,
      shopId: null,
    });
  const ofShop = (shopId: string) => [...sandbox.catalog.ofShop(shopId)];
  return {
    keywords: sandbox.keywords,
    found,
    keywordsBySize: sandbox.keywords.toSorted((a, b) => found(b).length - found(a).length),
    shopsBySize: [...sandbox.catalog.shopIds()].toSorted(
      (a, b) => ofShop(b).length - ofShop(a).length,
    ),
    ofShop,
  };
}

/** The rest of the day: shops change their goods, mostly without a word, and we look four times an hour. */
async function live(crawl: SimulatedCrawl, setting: CrawlSetting, seed: number): Promise<Sample[]> {
  const { control } = crawl.sandbox;
  const random = createRandom(seed + 1);
  const born = new Map<number, number>();
  const models = control.items().filter((item) => item["visible"] === 1);
  const ids = models.map((item) => Number(item["item_id"]));
  // What no search shows any more is kept fresh by refreshes alone.
  for (const id of ids.filter(isHidden)) control.edit(id, { visible: 0 }, { silent: true });
  const samples: Sample[] = [];
  for (let quarter = 1; quarter <= (setting.hours - 1) * samplesAnHour; quarter += 1) {
    const hour = 1 + quarter / samplesAnHour;
    for (let i = 0; i < setting.products / editsShare; i += 1) {
      // The same goods and prices in every run, whatever a fault has removed.
      const id = random.pick(ids);
      const price = random.integer(10, 2000) * 10;
      control.edit(id, { price }, { silent: random.chance(0.7) });
    }
    if (quarter % 2 === 0) {
      const itemId = 90_000_000 + quarter;
      const modified = Math.floor(crawl.clock.now().getTime() / 1000);
      control.add({ ...random.pick(models), item_id: itemId, variations: [], modified });
      born.set(itemId, hour);
    }
    await crawl.pass(1 / samplesAnHour);
    if (quarter % (2 * samplesAnHour) === 1) await crawl.keepMaximumAge();
    samples.push(await sample(crawl, hour, setting, born));
  }
  return samples;
}

async function sample(
  crawl: SimulatedCrawl,
  hour: number,
  { maxAgeDays }: CrawlSetting,
  born: ReadonlyMap<number, number>,
): Promise<Sample> {
  const rows = await crawl.db.execute<{ item_id: number; price: number; checked_at: string }>(
    sql`select item_id, price, checked_at from product where state <> 'gone'`,
  );
  const oldestMs = crawl.clock.now().getTime() - (maxAgeDays ?? 30) * 86_400_000;
  const items = crawl.sandbox.control
    .items()
    .filter((item) => item["visible"] === 1 || (hour > 1 && isHidden(Number(item["item_id"]))));
  const prices = new Map(items.map((item) => [Number(item["item_id"]), Number(item["price"])]));
  const isOldEnough = (id: number) => (born.get(id) ?? -Infinity) <= hour - 1;
  return {
    known: new Set(rows.map((row) => row.item_id)),
    right: new Set(
      rows.filter((row) => prices.get(row.item_id) === row.price).map((row) => row.item_id),
    ),
    young: new Set(
      rows
        .filter((row) => new Date(row.checked_at).getTime() >= oldestMs)
        .map((row) => row.item_id),
    ),
    sold: new Set([...prices.keys()].filter((id) => !born.has(id))),
    newcomers: new Set([...born.keys()].filter(isOldEnough)),
  };
}
