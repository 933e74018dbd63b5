import { z } from "zod";
import { type ScenarioEvent, type ScenarioProduct, withSalesEnds } from "./events.ts";
import type { OwnerClient } from "./owner-client.ts";
import type { Clock } from "../../lib/clock.ts";
import { must } from "../../lib/must.ts";

interface ScenarioOptions {
  events: readonly ScenarioEvent[];
  /** One client per owner, created at the owner's first action. */
  clientOf(owner: string): OwnerClient;
  clock: Clock;
  /** Scenario seconds per real second. */
  speed: number;
  signal: AbortSignal;
  /** Called after each event, done or failed. */
  tell(line: string): void;
}

/** Plays the owners' days. A failed event is reported, and the others still happen. */
export async function runScenario(
  options: ScenarioOptions,
): Promise<{ done: number; failed: number }> {
  const { clock, speed, signal, tell } = options;
  const clients = new Map<string, OwnerClient>();
  const startMs = clock.monotonicMs();
  const count = { done: 0, failed: 0 };
  for (const event of withSalesEnds(options.events)) {
    const dueMs = startMs + (event.atSeconds / speed) * 1000;
    await clock.sleep(Math.max(0, dueMs - clock.monotonicMs()), signal);
    if (signal.aborted) break;
    const { owner } = event;
    if (!clients.has(owner)) clients.set(owner, options.clientOf(owner));
    const what = `day ${event.day} ${event.time}  ${owner}  ${event.do}`;
    try {
      const products = await performEvent(must(clients.get(owner), "a client"), event);
      count.done += 1;
      tell(`${what}: ${products} products`);
    } catch (error) {
      count.failed += 1;
      tell(`${what} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return count;
}

const item = z.object({
  item_id: z.int(),
  title: z.string(),
  price: z.int(),
  proper_price: z.int().nullable(),
  visible: z.int(),
  variations: z.array(z.object({ variation_id: z.int() })),
});
type Item = z.infer<typeof item>;

const anyAnswer = z.unknown();
const pageSize = 100;

/** Performs an event with the public operations; resolves to the number of products. */
async function performEvent(owner: OwnerClient, event: ScenarioEvent): Promise<number> {
  const items = await listItems(owner);
  switch (event.do) {
    case "open":
      return open(owner, items, event.products);
    case "restock":
      return onEach(named(items, event.title), (one) => restock(owner, one, event.stock));
    case "sale":
      return onEach(named(items, event.title), (one) => {
        const proper = one.proper_price ?? one.price;
        const price = Math.max(1, Math.round((proper * (100 - event.percent)) / 100));
        return edit(owner, one, { price: String(price), proper_price: String(proper) });
      });
    case "end_sale": {
      const reduced = named(items, event.title).filter((one) => one.proper_price !== null);
      return onEach(reduced, (one) =>
        edit(owner, one, { price: String(one.proper_price), proper_price: "" }),
      );
    }
    case "rename":
      return onEach(named(items, event.title), (one) => edit(owner, one, { title: event.to }));
    case "close":
      return onEach(
        items.filter((one) => one.visible === 1),
        (one) => edit(owner, one, { visible: "0" }),
      );
  }
}

async function listItems(owner: OwnerClient): Promise<Item[]> {
  const items: Item[] = [];
  for (;;) {
    const params = { limit: String(pageSize), offset: String(items.length), order: "item_id" };
    const page = await owner.get("/1/items", params, z.object({ items: z.array(item) }));
    items.push(...page.items);
    if (page.items.length < pageSize) return items;
  }
}

const named = (items: readonly Item[], title: string | undefined) =>
  items.filter((one) => title === undefined || one.title === title);

async function onEach(items: readonly Item[], act: (one: Item) => Promise<unknown>) {
  for (const one of items) await act(one);
  return items.length;
}

function edit(owner: OwnerClient, { item_id }: Item, set: Record<string, string>) {
  return owner.post("/1/items/edit", { item_id: String(item_id), ...set }, anyAnswer);
}

async function restock(owner: OwnerClient, { item_id, variations }: Item, stock: number) {
  const path = "/1/items/edit_stock";
  const of = { item_id: String(item_id) };
  if (variations.length === 0) {
    await owner.post(path, { ...of, stock: String(stock) }, anyAnswer);
  }
  for (const { variation_id } of variations) {
    const form = { ...of, variation_id: String(variation_id), variation_stock: String(stock) };
    await owner.post(path, form, anyAnswer);
  }
}

async function open(
  owner: OwnerClient,
  items: readonly Item[],
  products: readonly ScenarioProduct[],
): Promise<number> {
  const hidden = items.filter((one) => one.visible === 0);
  await onEach(hidden, (one) => edit(owner, one, { visible: "1" }));
  const isNew = (product: ScenarioProduct) => items.every((one) => one.title !== product.title);
  const added = products.filter(isNew);
  for (const product of added) await add(owner, product);
  return hidden.length + added.length;
}

async function add(owner: OwnerClient, product: ScenarioProduct): Promise<void> {
  const { title, detail, category, image_url } = product;
  const form = { title, detail, price: String(product.price), stock: String(product.stock) };
  const answer = await owner.post("/1/items/add", form, z.object({ item }));
  const of = { item_id: String(answer.item.item_id) };
  if (image_url !== undefined) {
    await owner.post("/1/items/add_image", { ...of, image_no: "1", image_url }, anyAnswer);
  }
  if (category === undefined) return;
  const category_id = String(await categoryId(owner, category));
  await owner.post("/1/item_categories/add", { ...of, category_id }, anyAnswer);
}

const category = z.object({ category_id: z.int(), name: z.string() });

async function categoryId(owner: OwnerClient, name: string): Promise<number> {
  const all = await owner.get("/1/categories", {}, z.object({ categories: z.array(category) }));
  const known = all.categories.find((one) => one.name === name);
  if (known) return known.category_id;
  const added = await owner.post("/1/categories/add", { name }, z.object({ category }));
  return added.category.category_id;
}
