import { sql } from "drizzle-orm";
import { once } from "node:events";
import { createServer } from "node:http";
import { anchorsOf, anchorsVersion, readFrequency } from "../alerts/judging/anchors.ts";
import { createReach } from "../alerts/delivery/addresses.ts";
import { createDeliveries } from "../alerts/delivery/deliveries.ts";
import { createOutgoing, resolveName } from "../alerts/delivery/outgoing.ts";
import { createSecret } from "../alerts/delivery/message.ts";
import { createJudging } from "../alerts/judging/judging.ts";
import { createSavedSearches } from "../alerts/judging/searches-in-memory.ts";
import { orderChanges } from "../catalog/changes/change-order.ts";
import { idList } from "../db/rows.ts";
import type { Db } from "../db/open.ts";
import type { AlertRule, SavedQuery } from "../db/schema.ts";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { runLoop } from "../lib/loop.ts";
import type { Logger } from "../lib/logger.ts";
import { createRandom, type Random } from "../lib/random.ts";
import { createWordFrequencies } from "../search/query/words/word-frequencies.ts";

export interface AlertsBench {
  searches: number;
  products: number;
  changesPerSecond: number;
  seconds: number;
}

export interface AlertsFigures extends AlertsBench {
  judgedPerSecond: number;
  /** Share of all saved searches that a change makes judging look at, in percent. */
  lookedPercent: number;
  events: number;
  /** From the change in the database to its event, in milliseconds; null: no event. */
  eventP95Ms: number | null;
  /** From the change to the first attempt to deliver its message. */
  p50Ms: number | null;
  p95Ms: number | null;
  delivered: number;
  /** Changes that were not judged at the end. */
  waiting: number;
}

/** Each gets the events of as many saved searches. */
const webhooks = 50;
const wordCount = 20_000;
const shops = 1000;
const categoryCount = 300;
/** Rows that one statement writes. */
const slice = 5000;
const writesPerSecond = 10;

/** Fills an empty database, changes products at this rate, and judges the changes meanwhile. */
export async function benchAlerts(
  db: Db,
  size: AlertsBench,
  runtime: { clock: Clock; logger: Logger; note(line: string): void },
): Promise<AlertsFigures> {
  const { clock, logger, note } = runtime;
  const random = createRandom(1);
  await fillProducts(db, random, size.products);
  note(`${size.products} products`);
  const receiver = await startReceiver();
  await fillWebhooks(db, receiver.url);
  await fillSearches(db, clock, random, size);
  note(`${size.searches} saved searches`);
  await db.execute(sql`vacuum analyze`);
  const searches = createSavedSearches(logger);
  const judging = createJudging({ db, clock, logger, timezone: "Asia/Tokyo", searches });
  const ended = new AbortController();
  const { signal } = ended;
  const reach = createReach(["127.0.0.1/32"]);
  const send = createOutgoing({ reach, resolve: resolveName, clock });
  const deliveries = createDeliveries({ db, clock, logger, send });
  const loop = (name: string, step: (stop: AbortSignal) => Promise<number>) =>
    runLoop({ name, clock, logger, signal, step });
  const loops = [
    loop("changes", () => orderChanges(db, clock)),
    loop("alerts", judging),
    loop("webhooks", deliveries.step),
  ];
  await changeProducts(db, clock, random, size);
  await clock.sleep(2000);
  const figures = await readFigures(db, size);
  ended.abort();
  await Promise.all(loops);
  await deliveries.ended();
  await receiver.close();
  return figures;
}

/** In this process, so that its work is a part of what is measured. */
async function startReceiver(): Promise<{ url: string; close(): Promise<unknown> }> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(204).end());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function fillWebhooks(db: Db, url: string): Promise<void> {
  await db.execute(sql`
    insert into alert_owner (secret_hash, lang, created_at) values ('bench', 'en', now())`);
  await db.execute(sql`
    insert into webhook (owner_id, url, secret, created_at)
    select 1, ${url} || i, ${createSecret()}, now() from generate_series(1, ${webhooks}::int) i`);
}

/** Words as frequent as in a language: a few are everywhere, most are rare. */
function wordOf(random: Random, fromRank = 1): string {
  const rank = Math.floor(fromRank * (wordCount / fromRank) ** random.next());
  return `w${rank}x`;
}

/** Who searches names something: the first word is none of those that are everywhere. */
const namingRank = 30;

const titleOf = (random: Random) => Array.from({ length: 8 }, () => wordOf(random)).join(" ");

async function fillProducts(db: Db, random: Random, products: number): Promise<void> {
  await db.execute(sql`
    insert into shop (shop_id, shop_name, shop_url, first_seen_at, checked_at)
    select 'shop-' || i, 'Shop ' || i, 'https://shop-' || i || '.example.com/', now(), now()
    from generate_series(0, ${shops - 1}::int) i`);
  for (let from = 0; from < products; from += slice) {
    const rows = Array.from({ length: Math.min(slice, products - from) }, (_, i) => ({
      item_id: from + i + 1,
      shop_id: `shop-${random.integer(0, shops - 1)}`,
      title: titleOf(random),
      price: random.integer(100, 20_000),
      categories: [`category ${random.integer(1, categoryCount)}`],
    }));
    await db.execute(sql`
      insert into product (item_id, shop_id, ver, state, title, detail, price, stock, visible, list_order, images,
        variations, categories, modified, first_seen_at, checked_at, changed_at, price_since, last_call_id)
      select item_id, shop_id, 1, 'live', title, '', price, 3, 1, 0, '[null, null, null, null, null]', '[]',
        categories, 0, now(), now(), now(), now(), 1
      from json_to_recordset(${JSON.stringify(rows)}::text::json)
        as x(item_id bigint, shop_id text, title text, price bigint, categories jsonb)`);
  }
}

/** Half are watches of one product; the others are searches by words, categories, shops and prices. */
function searchOf(random: Random, products: number): { query: SavedQuery; rules: AlertRule[] } {
  const kind = random.next();
  const price = random.integer(200, 20_000);
  if (kind < 0.5) {
    const query = { item_id: random.integer(1, products) };
    return {
      query,
      rules: [
        { kind: "price_drop", percent: 5 },
        { kind: "new_low", window: "90d" },
      ],
    };
  }
  const rules: AlertRule[] = [{ kind: "new_match" }, { kind: "price_below", price }];
  const q = `${wordOf(random, namingRank)} ${wordOf(random)}`;
  if (kind < 0.8) return { query: { q }, rules };
  const category = [`category ${random.integer(1, categoryCount)}`];
  if (kind < 0.95) return { query: { q, category, price_max: price }, rules };
  return { query: { shop_id: [`shop-${random.integer(0, shops - 1)}`], category }, rules };
}

async function fillSearches(
  db: Db,
  clock: Clock,
  random: Random,
  { searches, products }: AlertsBench,
): Promise<void> {
  const readWords = createWordFrequencies(db, createCache(clock));
  for (let from = 0; from < searches; from += slice) {
    const rows = await Promise.all(
      Array.from({ length: Math.min(slice, searches - from) }, async (_, i) => {
        const { query, rules } = searchOf(random, products);
        const frequency = await readFrequency(db, await readWords(), query);
        return { nr: from + i, query, rules, anchors: anchorsOf(query, frequency) };
      }),
    );
    await db.execute(sql`
      with new as materialized (
        select * from json_to_recordset(${JSON.stringify(rows)}::text::json)
          as x(nr int, query jsonb, rules jsonb, anchors jsonb)
      ), saved as (
        insert into saved_search (owner_id, name, query, rules, webhook_id, min_change_percent, cooldown_s, daily_max,
          confirm_factor, anchors_version, feed_hash, created_at, updated_at)
        select 1, 'bench', query, rules, (select webhook_id from webhook offset nr % ${webhooks} limit 1), 1, 3600, 100, 5, ${anchorsVersion},
          'feed ' || nr, now(), now() from new
        returning saved_search_id, feed_hash
      )
      insert into saved_search_anchor (kind, key, also, saved_search_id)
      select a->>'kind', a->>'key',
        case when jsonb_typeof(a->'also') = 'array' then array(select jsonb_array_elements_text(a->'also')) end,
        saved_search_id
      from saved join new on feed_hash = 'feed ' || nr, jsonb_array_elements(anchors) a`);
  }
}

async function changeProducts(db: Db, clock: Clock, random: Random, size: AlertsBench) {
  const startedMs = clock.monotonicMs();
  const writes = size.seconds * writesPerSecond;
  for (let i = 0; i < writes; i += 1) {
    const ids = Array.from({ length: size.changesPerSecond / writesPerSecond }, () =>
      random.integer(1, size.products),
    );
    await db.execute(sql`
      update product set price = greatest(100, (price * ${0.8 + random.next() * 0.4}::float8)::bigint), ver = ver + 1,
        price_since = now(), changed_at = now(), checked_at = now()
      where item_id in ${idList(ids)}`);
    await clock.sleep(startedMs + ((i + 1) * 1000) / writesPerSecond - clock.monotonicMs());
  }
}

async function readFigures(db: Db, size: AlertsBench): Promise<AlertsFigures> {
  const [row] = await db.execute<{
    judged: number;
    looked: number;
    events: number;
    waiting: number;
    event_p95: number | null;
    p50: number | null;
    p95: number | null;
    delivered: number;
  }>(sql`
    select judged, looked, events, event_p95, p50, p95, delivered,
      (select count(*) from alert_change) + (select count(*) from pending_change) as waiting
    from alert_head, (
      select percentile_cont(0.95) within group (order by extract(epoch from at - changed_at)::float8 * 1000) as event_p95
      from alert_event) told, (
      select percentile_cont(0.5) within group (order by ms) as p50,
        percentile_cont(0.95) within group (order by ms) as p95, count(*) filter (where state = 'delivered') as delivered
      from (
        select extract(epoch from d.first_attempt_at - e.changed_at)::float8 * 1000 as ms, d.state
        from webhook_delivery d join alert_event e using (event_id)) sent) latency`);
  const { judged = 0, looked = 0, events = 0, waiting = 0, delivered = 0 } = row ?? {};
  const { event_p95: eventP95 = null, p50 = null, p95 = null } = row ?? {};
  const rounded = (value: number | null) => (value === null ? null : Math.round(value));
  return {
    ...size,
    judgedPerSecond: Math.round(judged / size.seconds),
    lookedPercent: Number(((100 * looked) / Math.max(1, judged) / size.searches).toPrecision(3)),
    events,
    delivered,
    eventP95Ms: rounded(eventP95),
    p50Ms: rounded(p50),
    p95Ms: rounded(p95),
    waiting,
  };
}
