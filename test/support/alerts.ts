import { sql } from "drizzle-orm";
import { anchorsOf, type Frequency } from "../../src/alerts/judging/anchors.ts";
import { createJudging, type JudgingDeps } from "../../src/alerts/judging/judging.ts";
import { createSavedSearch, type Chosen } from "../../src/alerts/saved-searches.ts";
import { createSavedSearches } from "../../src/alerts/judging/searches-in-memory.ts";
import { ownerOfKey } from "../../src/alerts/owners.ts";
import { orderChanges } from "../../src/catalog/changes/change-order.ts";
import type { Db } from "../../src/db/open.ts";
import type { AlertKind, AlertRule, SavedQuery } from "../../src/db/schema.ts";
import { systemClock, type Clock } from "../../src/lib/clock.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { must } from "../../src/lib/must.ts";
import { newKey } from "./keys.ts";

export const aChoice: Chosen = {
  name: "a search",
  query: {},
  rules: [{ kind: "new_match" }],
  webhookId: null,
  minChangePercent: 1,
  cooldownS: 3600,
  dailyMax: 100,
  confirmFactor: 5,
  expiresAt: null,
  isPaused: false,
};

/** Whatever is said of frequencies, no event may be lost. */
export const noFrequency: Frequency = () => 0;

/** The owner of a new API key. */
export async function createOwner(
  db: Db,
): Promise<{ keyId: number; ownerId: number; key: string }> {
  return db.transaction(async (tx) => {
    const { keyId, text: key } = await newKey(tx, new Date());
    return { keyId, key, ownerId: await ownerOfKey(tx, keyId, new Date()) };
  });
}

/** What judging needs, with no saved search read yet. */
export function toJudgingDeps(db: Db, clock: Clock = systemClock): JudgingDeps {
  const logger = silentLogger;
  return { db, clock, logger, timezone: "Asia/Tokyo", searches: createSavedSearches(logger) };
}

/** Judges all changes that were stored. */
export async function judgeAll(deps: JudgingDeps): Promise<void> {
  const step = createJudging(deps);
  const isWaiting = async () =>
    (await deps.db.execute(sql`select from pending_change union all select from alert_change`))
      .length > 0;
  while (await isWaiting()) {
    await orderChanges(deps.db, systemClock);
    await step();
  }
}

/** Saves it and returns its id. */
export async function save(
  db: Db,
  ownerId: number,
  chosen: Partial<Chosen>,
  frequency: Frequency = noFrequency,
): Promise<number> {
  const whole = { ...aChoice, ...chosen };
  const anchors = anchorsOf(whole.query, frequency);
  const { stored } = await db.transaction((tx) =>
    createSavedSearch(tx, { ownerId, chosen: whole, anchors, most: 1_000_000 }, new Date()),
  );
  return stored.savedSearchId;
}

export interface SeenEvent {
  saved_search_id: number;
  item_id: number;
  kind: AlertKind;
  ver: number;
  is_quiet: boolean;
  data: Record<string, unknown>;
}

export async function readAllEvents(db: Db): Promise<SeenEvent[]> {
  const rows = await db.execute<SeenEvent & Record<string, unknown>>(sql`
    select saved_search_id, item_id, kind, ver, is_quiet, data from alert_event order by event_id`);
  return [...rows];
}

type Random = () => number;

export const words = [
  "革財布",
  "バッグ",
  "red",
  "coffee",
  "ケース",
  "iphone15",
  "500ml",
  "靴",
  "tea",
];
export const categories = ["財布", "バッグ", "Kitchen", "靴"];
const gtins = ["04901234567894", "04912345678904"];
export const barcodes = ["4901234567894", "4912345678904"];

export const pick = <T>(random: Random, from: readonly T[]): T =>
  must(from[Math.floor(random() * from.length)], "a choice");
const maybe = <T>(random: Random, share: number, value: () => T): T[] =>
  random() < share ? [value()] : [];

/** A saved search about some of the products that the tests of judging make. */
export function randomSearch(random: Random, items: number): Partial<Chosen> {
  const query: SavedQuery = {};
  const kind = random();
  if (kind < 0.3) query.item_id = 1 + Math.floor(random() * items);
  else if (kind < 0.4) query.group_id = 1 + Math.floor(random() * 4);
  else if (kind < 0.5) query.gtin = [pick(random, gtins)];
  else {
    if (random() < 0.7) query.q = randomWords(random);
    if (random() < 0.3) query.shop_id = [...maybe(random, 0.5, () => "shop-1"), "shop-2"];
    if (random() < 0.3) query.category = [pick(random, categories)];
    if (random() < 0.3) query.price_max = Math.ceil(random() * 5000);
    if (random() < 0.2) query.price_min = Math.ceil(random() * 1000);
  }
  if (random() < 0.2) query.in_stock = random() < 0.8;
  if (random() < 0.1) query.on_sale = random() < 0.5;
  if (random() < 0.1) query.exclude_shop_id = ["shop-1"];
  if (anchorsOf(query, noFrequency).length === 0) query.price_max = 3000;
  return {
    query,
    rules: randomRules(random),
    minChangePercent: pick(random, [0, 1, 5]),
    cooldownS: pick(random, [0, 3600, 86_400]),
    dailyMax: pick(random, [1, 3, 100]),
    confirmFactor: pick(random, [3, 5, 50]),
  };
}

function randomWords(random: Random): string {
  const chosen = Array.from({ length: 1 + Math.floor(random() * 2) }, () => pick(random, words));
  const phrase = maybe(random, 0.1, () => `"${pick(random, words)}"`);
  return [...chosen, ...phrase, ...maybe(random, 0.1, () => `-${pick(random, words)}`)].join(" ");
}

function randomRules(random: Random): AlertRule[] {
  const all: AlertRule[] = [
    { kind: "new_match" },
    { kind: "price_below", price: Math.ceil(random() * 4000) },
    { kind: "price_drop", percent: pick(random, [1, 10, 30]) },
    { kind: "new_low", window: pick(random, ["30d", "90d", "1y", "all"]) },
    { kind: "back_in_stock" },
    { kind: "price_rise" },
    { kind: "gone" },
  ];
  const some = all.filter(() => random() < 0.5);
  return some.length > 0 ? some : [pick(random, all)];
}
