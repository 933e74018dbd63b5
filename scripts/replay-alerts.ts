import {
  judge,
  type JudgedChange,
  type LowBefore,
  type PairState,
} from "../src/alerts/judging/judge.ts";
import { createMatcher, toJudged, type Judged } from "../src/alerts/judging/matches.ts";
import {
  alertKinds,
  type AlertKind,
  type AlertRule,
  type ProductFacts,
  type SavedQuery,
} from "../src/db/schema.ts";
import { must } from "../src/lib/must.ts";
import { createRandom, type Random } from "../src/lib/random.ts";
import { withFields, type SandboxItem } from "../src/sandbox/catalogue/item.ts";
import { loadCatalog, loadChanges } from "../src/sandbox/load.ts";
import type { Change } from "../src/sandbox/catalogue/replay.ts";
import { readArguments, needed } from "./support/arguments.ts";
import { collect } from "../src/lib/collect.ts";

/**
 * Replays recorded changes past invented watches with all rules, and prints how often each rule would tell
 * something: judged by each change alone, and as alerts are sent, with their memory, minimum change,
 * cool-down and confirmation of jumps. A price that jumped counts as seen again a day later if it still stands.
 *
 *   npx tsx scripts/replay-alerts.ts --catalog FILE --changes FILE [--watches 200]
 */
const values = readArguments({ catalog: needed, changes: needed, watches: 200 });

const DAY_MS = 86_400_000;
/** As `POST /v1/saved-searches` fills them in. */
const usual = { minChangePercent: 1, cooldownS: 3600, confirmFactor: 5 };
const bare = { minChangePercent: 0, cooldownS: 0, confirmFactor: Infinity };

interface Watch {
  matches: ReturnType<typeof createMatcher>;
  rules: AlertRule[];
  itemId: number | null;
  states: Map<number, PairState>;
  alone: Map<AlertKind, number>;
  sent: Map<AlertKind, number>;
}

interface Known {
  item: SandboxItem | null;
  judged: Judged | null;
  ver: number;
  /** Prices and when they began to hold, oldest first. */
  prices: { price: number; fromMs: number; untilMs: number }[];
}

const catalog = await loadCatalog(values.catalog);
const changes = await loadChanges(values.changes);
const firstMs = must(changes[0], "a change").t * 1000;
const known = new Map<number, Known>(
  catalog.map((item) => [item.item_id, begin(item, firstMs - DAY_MS)]),
);
const watches = inventWatches(createRandom(1), values.watches);
const byItem = collect(watches, ({ itemId }) => [itemId]);
const broad = byItem.get(null) ?? [];
/** Jumps that wait to be seen again. */
let jumps: { itemId: number; watch: Watch; dueMs: number }[] = [];

changes.forEach((change, position) => {
  const ms = change.t * 1000;
  confirmUntil(ms, position);
  const itemId = change.op === "add" ? change.item.item_id : change.item_id;
  const judgedChange = apply(itemId, change, ms, position);
  if (!judgedChange) return;
  for (const watch of [...(byItem.get(itemId) ?? []), ...broad]) tell(watch, itemId, judgedChange);
});
confirmUntil(Infinity, changes.length);
print();

function begin(item: SandboxItem, ms: number): Known {
  const prices = [{ price: item.price, fromMs: ms, untilMs: ms }];
  return { item, judged: toFacts(item, ms, null), ver: 1, prices };
}

function toFacts(item: SandboxItem, ms: number, like: Judged | null): Judged {
  const facts: ProductFacts = {
    title: item.title,
    categories: item.categories,
    shop_id: item.shop_id,
    shop_name: item.shop_name,
    price: item.price,
    proper_price: item.proper_price,
    stock: item.stock,
    barcodes: item.variations.flatMap(({ barcode }) => barcode ?? []),
    since: new Date(ms).toISOString(),
  };
  return toJudged(facts, { itemId: item.item_id, groupIds: [] }, like);
}

/** Returns what judging is told of it; null: nothing changed. */
function apply(itemId: number, change: Change, ms: number, position: number): JudgedChange | null {
  const before = known.get(itemId);
  const item =
    change.op === "add"
      ? change.item
      : change.op === "delete" || !before?.item
        ? null
        : withFields(before.item, change.set);
  if (!item && !before?.item) return null;
  const after = item ? toFacts(item, ms, before?.judged ?? null) : null;
  const ver = (before?.ver ?? 0) + 1;
  const prices = before?.prices ?? [];
  const last = prices.at(-1);
  if (last && before?.item) last.untilMs = ms;
  if (item && (!last || last.price !== item.price || !before?.item)) {
    prices.push({ price: item.price, fromMs: ms, untilMs: ms });
  }
  known.set(itemId, { item, judged: after ?? before?.judged ?? null, ver, prices });
  const kind = !before ? "added" : !before.item ? "returned" : item ? "changed" : "deleted";
  return { position, ver, at: new Date(ms), kind, before: before?.judged ?? null, after };
}

function lowBefore(itemId: number, change: JudgedChange): LowBefore {
  const endMs = Date.parse(change.after?.facts.since ?? change.at.toISOString());
  const days = { "30d": 30, "90d": 90, "1y": 365, all: Infinity, slip: 3 };
  return (window) => {
    const sinceMs = endMs - days[window] * DAY_MS;
    const held = (known.get(itemId)?.prices ?? []).filter(
      ({ price, fromMs, untilMs }) => price > 0 && fromMs < endMs && untilMs >= sinceMs,
    );
    const low = held.toSorted((a, b) => a.price - b.price)[0];
    return low ? { price: low.price, at: new Date(low.fromMs).toISOString() } : null;
  };
}

function tell(watch: Watch, itemId: number, change: JudgedChange): void {
  const low = lowBefore(itemId, change);
  const alone = judge({ ...watch, ...bare }, change, null, low);
  for (const { kind } of alone.news) watch.alone.set(kind, (watch.alone.get(kind) ?? 0) + 1);
  send(watch, itemId, change);
}

function send(watch: Watch, itemId: number, change: JudgedChange): void {
  const past = watch.states.get(itemId) ?? null;
  const { news, state } = judge({ ...watch, ...usual }, change, past, lowBefore(itemId, change));
  for (const { kind } of news) watch.sent.set(kind, (watch.sent.get(kind) ?? 0) + 1);
  if (state) watch.states.set(itemId, state);
  else watch.states.delete(itemId);
  if (state?.jump) jumps.push({ itemId, watch, dueMs: change.at.getTime() + DAY_MS });
}

/** Judges the jumps that stand after a day as seen again. */
function confirmUntil(ms: number, position: number): void {
  const due = jumps.filter(({ dueMs }) => dueMs <= ms);
  if (due.length === 0) return;
  jumps = jumps.filter(({ dueMs }) => dueMs > ms);
  for (const { itemId, watch, dueMs } of due) {
    const jump = watch.states.get(itemId)?.jump;
    const now = known.get(itemId);
    if (!jump || !now?.item || !now.judged || jump.ver !== now.ver) continue;
    const { ver, judged } = now;
    const before = { ...judged, facts: jump.before };
    const at = new Date(dueMs);
    send(watch, itemId, { position, ver, at, kind: "changed", before, after: judged });
  }
}

/** Half are watches of one product, the others of words, categories of a shop, or a price range. */
function inventWatches(random: Random, count: number): Watch[] {
  const edited = changes.flatMap((one) => (one.op === "edit" ? [one.item_id] : []));
  return Array.from({ length: count }, (_, i) => {
    // Who watches a product expects its price to move, but does not know that it will.
    const id = i % 4 === 0 ? random.pick(edited) : random.pick(catalog).item_id;
    const item = known.get(id)?.item ?? random.pick(catalog);
    const long = item.title.split(/\s+/).filter((one) => one.length > 3);
    const q = long.length > 0 ? long.slice(0, 2).join(" ") : item.title;
    const price = Math.max(1, Math.round(item.price * (0.7 + 0.25 * random.next())));
    const category = item.categories.slice(0, 1);
    const query: SavedQuery =
      i % 2 === 0
        ? { item_id: item.item_id }
        : i % 4 === 1
          ? { q, shop_id: [item.shop_id], price_max: item.price * 2 }
          : { q, ...(category.length > 0 ? { category } : {}) };
    const rules: AlertRule[] = [
      { kind: "new_match" },
      { kind: "price_below", price },
      { kind: "price_drop", percent: 10 },
      { kind: "new_low", window: "90d" },
      { kind: "back_in_stock" },
      { kind: "price_rise", percent: 10 },
      { kind: "gone" },
    ];
    return {
      matches: createMatcher(query),
      rules,
      itemId: query.item_id ?? null,
      states: new Map(),
      alone: new Map(),
      sent: new Map(),
    };
  });
}

function print(): void {
  const days = Math.round((must(changes.at(-1), "a change").t * 1000 - firstMs) / DAY_MS);
  const total = (pick: (watch: Watch) => number) =>
    watches.reduce((sum, watch) => sum + pick(watch), 0);
  const rows = alertKinds.map((kind) => [
    kind,
    total(({ alone }) => alone.get(kind) ?? 0),
    total(({ sent }) => sent.get(kind) ?? 0),
    watches.filter(({ sent }) => sent.has(kind)).length,
  ]);
  process.stdout.write(`${changes.length} changes in ${days} days, ${watches.length} watches\n\n`);
  const table = [["rule", "each change alone", "as sent", "watches that get any"], ...rows];
  for (const row of table) process.stdout.write(`| ${row.join(" | ")} |\n`);
}
