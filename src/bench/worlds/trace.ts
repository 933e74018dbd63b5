import { readLines } from "../../lib/files.ts";
import { UsageError } from "../../lib/arguments.ts";
import {
  createStates,
  addition,
  deletion,
  edit,
  toEvents,
  type Happening,
  type World,
} from "./world.ts";

interface TraceItem {
  item_id: number;
  price: number;
  stock?: number;
  modified: number;
  shop_id: string;
  categories?: readonly string[];
}

type TraceChange = { t: number } & (
  | { op: "edit"; item_id: number; set: { price?: number; stock?: number } }
  | { op: "add"; item: TraceItem }
  | { op: "delete"; item_id: number }
);

const dayS = 86_400;
/** Days in which every policy reaches its steady state before figures count. */
const warmupDays = 14;
const tokyo = { timezone: "Asia/Tokyo", dayStart: 15 / 24 };

/**
 * A real catalogue and what happened to it, both JSON lines, gzipped or not, in the sandbox's
 * format. Each shop's name is a keyword that finds all of the shop (names are searched by default).
 * What each item did on average over the whole run is its true rate. `days`: only the
 * first days of the trace are played; null: all.
 */
export async function readTraceWorld(
  files: { catalog: string; changes: string },
  importance: "uniform" | "zipf",
  days: number | null,
): Promise<World> {
  const catalog = await readRows<TraceItem>(files.catalog);
  const changes = await readRows<TraceChange>(files.changes);
  const first = changes[0];
  const last = changes.at(-1);
  if (!first || !last) throw new UsageError(`${files.changes} holds no changes`);
  const to = Math.min(last.t + dayS, first.t + (days ?? Infinity) * dayS);
  const played = changes.filter((change) => change.t < to);
  return toWorld(catalog, played, { from: first.t, to }, importance);
}

function toWorld(
  catalog: readonly TraceItem[],
  changes: readonly TraceChange[],
  span: { from: number; to: number },
  importance: "uniform" | "zipf",
): World {
  const all = new Map(catalog.map((item) => [item.item_id, item]));
  for (const change of changes) if (change.op === "add") all.set(change.item.item_id, change.item);
  const ids = [...all.keys()].sort((a, b) => a - b);
  const indexOf = new Map(ids.map((id, index) => [id, index]));
  const at = (id: number) => indexOf.get(id) ?? 0;
  const shopNames = [...new Set([...all.values()].map((item) => item.shop_id))].sort();
  const shopIndex = new Map(shopNames.map((name, index) => [name, index]));
  const shopOf = Int32Array.from(ids, (id) => shopIndex.get(all.get(id)?.shop_id ?? "") ?? 0);
  const states = createStates();
  const toState = ({ price, stock = 1 }: TraceItem) => ({ price, stock });
  const liveAtStart = new Uint8Array(ids.length);
  const contentAtStart = new Int32Array(ids.length);
  const modifiedAtStart = new Float64Array(ids.length);
  for (const item of catalog) {
    liveAtStart[at(item.item_id)] = 1;
    contentAtStart[at(item.item_id)] = states.toContent(toState(item));
    modifiedAtStart[at(item.item_id)] = item.modified / dayS;
  }
  const now = new Map(catalog.map((item) => [item.item_id, toState(item)]));
  const happenings = changes.flatMap((change): Happening[] => {
    const when = change.t / dayS;
    switch (change.op) {
      case "add": {
        const state = toState(change.item);
        now.set(change.item.item_id, state);
        const content = states.toContent(state);
        return [{ at: when, item: at(change.item.item_id), kind: addition, content }];
      }
      case "delete":
        return [{ at: when, item: at(change.item_id), kind: deletion, content: 0 }];
      case "edit": {
        const { price, stock } = change.set;
        const old = now.get(change.item_id);
        if (!old || (price === undefined && stock === undefined)) return [];
        const state = { price: price ?? old.price, stock: stock ?? old.stock };
        now.set(change.item_id, state);
        const content = states.toContent(state);
        return [{ at: when, item: at(change.item_id), kind: edit, content }];
      }
    }
  });
  const startsAt = span.from / dayS - 1e-3;
  const endsAt = span.to / dayS;
  const rates = ratesOf(happenings, {
    liveAtStart,
    contentAtStart,
    shopOf,
    shops: shopNames.length,
    startsAt,
    endsAt,
  });
  return {
    name: "trace",
    startsAt,
    endsAt,
    measuredFrom: Math.min(startsAt + warmupDays, (startsAt + endsAt) / 2),
    ...tokyo,
    shopOf,
    weight: Float64Array.from(ids, (id) => (importance === "uniform" ? 1 : zipf(id))),
    keywordsOf: Array.from(shopOf, (shop) => [shop]),
    trueBumpShare: 1,
    ...rates,
    rateIn: (item) => rates.trueRate[item] ?? 0,
    states,
    categoryOf: (item) => all.get(ids[item] ?? 0)?.categories?.[0] ?? "",
    shops: shopNames.length,
    keywords: shopNames.length,
    ordered: false,
    liveAtStart,
    modifiedAtStart,
    contentAtStart,
    events: toEvents(happenings),
  };
}

/** Changes a day of each item (an edit that sets what was there is none), and deletions a day of each shop's products, over the whole span. */
function ratesOf(
  happenings: readonly Happening[],
  world: Pick<World, "liveAtStart" | "contentAtStart" | "shopOf" | "shops" | "startsAt" | "endsAt">,
): { trueRate: Float64Array; trueLossRate: Float64Array } {
  const total = world.shopOf.length;
  const edits = new Float64Array(total);
  const contents = Int32Array.from(world.contentAtStart);
  const liveDays = new Float64Array(total);
  const liveSince = Float64Array.from(world.liveAtStart, (live) => (live ? world.startsAt : NaN));
  const losses = new Float64Array(world.shops);
  const shopDays = new Float64Array(world.shops);
  const close = (item: number, at: number) => {
    const days = Number.isNaN(liveSince[item]) ? 0 : at - (liveSince[item] ?? at);
    liveDays[item] = (liveDays[item] ?? 0) + days;
    const shop = world.shopOf[item] ?? 0;
    shopDays[shop] = (shopDays[shop] ?? 0) + days;
    liveSince[item] = NaN;
  };
  for (const { at, item, kind, content } of happenings) {
    if (kind !== edit) close(item, at);
    else if (content !== contents[item]) edits[item] = (edits[item] ?? 0) + 1;
    if (kind !== deletion) contents[item] = content;
    if (kind === addition) liveSince[item] = at;
    const shop = world.shopOf[item] ?? 0;
    if (kind === deletion) losses[shop] = (losses[shop] ?? 0) + 1;
  }
  for (let item = 0; item < total; item += 1) close(item, world.endsAt);
  return {
    trueRate: edits.map((count, item) => count / Math.max(1, liveDays[item] ?? 0)),
    trueLossRate: losses.map((count, shop) => count / Math.max(1, shopDays[shop] ?? 0)),
  };
}

/** Importance by a hash of the id: the item of rank k weighs 1/k; the mean is about 1. */
function zipf(id: number): number {
  let hash = Math.imul(id ^ (id >>> 16), 0x45d9f3b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  const uniform = ((hash ^ (hash >>> 16)) >>> 0) / 4294967296;
  return 0.1 / Math.max(uniform, 1e-4);
}

/** The operator's own files: each line is assumed to have their format. */
async function readRows<Row>(path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const line of readLines(path)) {
    if (line.trim() !== "") rows.push(JSON.parse(line) as Row);
  }
  return rows;
}
