import { Hono } from "hono";
import { z } from "zod";
import { toSandboxItem, toSearchBody, withFields } from "./catalogue/item.ts";
import type { Purchase } from "./market/orders.ts";
import { searchOperations, type CallLog } from "./search/calls.ts";
import { faultSubject, type FaultQueue } from "./search/faults.ts";
import type { World } from "./world.ts";

export type SandboxControl = ReturnType<typeof createControl>;

/**
 * Lets a test change the upstream without the API. Items have the format of section 2.1.
 * `createControlRoutes` offers the same over HTTP.
 */
export function createControl(world: World, faults: FaultQueue, calls: CallLog) {
  const { catalog, market, replay, runBatches } = world;

  /** Sets fields and stamps `modified` with the present second; a silent edit leaves `modified` alone. False: no such product. */
  function edit(itemId: number, set: Record<string, unknown>, { silent = false } = {}): boolean {
    const item = catalog.get(itemId);
    if (!item) return false;
    const stamp = silent ? {} : { modified: market.nowSeconds() };
    catalog.put(withFields(item, { ...stamp, ...set, item_id: itemId }));
    return true;
  }

  return {
    item(itemId: number): Record<string, unknown> | null {
      const item = catalog.get(itemId);
      return item ? toSearchBody(item) : null;
    },
    /** Every product, hidden ones too, by id. */
    items: (): Record<string, unknown>[] =>
      [...catalog.items()].toSorted((a, b) => a.item_id - b.item_id).map(toSearchBody),
    /** Adds a product or replaces it; throws a `ZodError` when it is not one. */
    add: (item: unknown) => catalog.put(toSandboxItem(item)),
    edit,
    hide: (itemId: number) => edit(itemId, { visible: 0 }),
    show: (itemId: number) => edit(itemId, { visible: 1 }),
    remove: (itemId: number) => catalog.remove(itemId),
    /** Returns how many products were deleted. */
    removeShop: (shopId: string) => catalog.closeShop(shopId),
    /** A customer's order; null if this cannot be bought now. */
    order: (purchase: Purchase) => market.orders.place(purchase),
    /** Resizes images and pays out what is due, now instead of at the next tick. */
    runBatches,
    faults,
    calls,
    /** null when no changes file was given. */
    replay,
  };
}

const edit = z.object({
  set: z.record(z.string(), z.unknown()),
  silent: z.boolean().default(false),
});
const fault = z.object({
  name: z.string(),
  calls: z.int().min(1).default(1),
  operation: z.enum(searchOperations).optional(),
});
const lastingFault = z.object({ name: z.string(), subject: faultSubject });
const limit = z.object({ limit: z.int().min(0) });
const advance = z.object({ t: z.int().min(0) });
const purchase = z.object({
  item_id: z.int(),
  variation_id: z.int().optional(),
  quantity: z.int().min(1).default(1),
});
const itemId = z.coerce.number().int().min(1);

/**
 * The control object over HTTP, for tests in other processes; no part of the Storefront API.
 *
 * | method and path | body | does |
 * |---|---|---|
 * | `GET /items` | | every product as JSON lines, by id |
 * | `POST /items` | a product (2.1) | adds or replaces it |
 * | `GET·DELETE /items/{id}` | | shows, deletes |
 * | `PATCH /items/{id}` | `{set,silent}` | edits; `silent` leaves `modified` alone |
 * | `DELETE /shops/{shop_id}` | | closes a shop |
 * | `POST /orders` | `{item_id,variation_id,quantity}` | a customer's order; 404 when nobody could buy this |
 * | `POST /batches` | | resizes images and pays out what is due |
 * | `POST /faults` | `{name,calls,operation}` | lets the next calls fail |
 * | `POST /faults/lasting` | `{name,subject}` | lets every call about the subject fail |
 * | `DELETE /faults` | | ends all faults |
 * | `GET /calls` | | the access log, credentials left out, and what each day counted |
 * | `PUT /daily-limit` | `{limit}` | |
 * | `GET /replay` · `POST /replay/start` · `POST /replay/stop` · `POST /replay/advance` `{t}` | | recorded changes |
 */
export function createControlRoutes(control: SandboxControl): Hono {
  const app = new Hono();
  app.onError((error, c) => {
    const isOurs =
      error instanceof z.ZodError || error instanceof RangeError || error instanceof SyntaxError;
    return c.json({ error: error.message }, isOurs ? 400 : 500);
  });
  const done = (did: boolean | void) =>
    Response.json({ ok: did !== false }, { status: did === false ? 404 : 200 });

  app.get("/items", (c) => {
    const lines = control.items().map((item) => `${JSON.stringify(item)}\n`);
    return c.body(lines.join(""), 200, { "content-type": "application/x-ndjson; charset=utf-8" });
  });
  app.post("/items", async (c) => done(control.add(await c.req.json())));
  app.get("/items/:id", (c) => {
    const item = control.item(itemId.parse(c.req.param("id")));
    return item ? c.json(item) : done(false);
  });
  app.patch("/items/:id", async (c) => {
    const { set, silent } = edit.parse(await c.req.json());
    return done(control.edit(itemId.parse(c.req.param("id")), set, { silent }));
  });
  app.delete("/items/:id", (c) => done(control.remove(itemId.parse(c.req.param("id")))));
  app.delete("/shops/:id", (c) => c.json({ removed: control.removeShop(c.req.param("id")) }));

  app.post("/orders", async (c) => {
    const { item_id, variation_id, quantity } = purchase.parse(await c.req.json());
    const order = control.order({ itemId: item_id, variationId: variation_id, quantity });
    return order ? c.json(order) : done(false);
  });
  app.post("/batches", () => done(control.runBatches()));

  app.post("/faults", async (c) => {
    const { name, calls, operation } = fault.parse(await c.req.json());
    return done(control.faults.fail(name, calls, operation));
  });
  app.post("/faults/lasting", async (c) => {
    const { name, subject } = lastingFault.parse(await c.req.json());
    return done(control.faults.stay(name, subject));
  });
  app.delete("/faults", () => done(control.faults.clear()));
  app.get("/calls", (c) =>
    c.json({
      daily_limit: control.calls.dailyLimit(),
      counted_by_day: control.calls.countedByDay(),
      calls: control.calls.all(),
    }),
  );
  app.put("/daily-limit", async (c) => {
    return done(control.calls.setDailyLimit(limit.parse(await c.req.json()).limit));
  });

  app.get("/replay", (c) => (control.replay ? c.json(control.replay.progress()) : done(false)));
  for (const act of ["start", "stop"] as const) {
    app.post(`/replay/${act}`, () => {
      control.replay?.[act]();
      return done(control.replay !== null);
    });
  }
  app.post("/replay/advance", async (c) => {
    const { t } = advance.parse(await c.req.json());
    return control.replay ? c.json(control.replay.advanceTo(t)) : done(false);
  });
  return app;
}
