import { Hono } from "hono";
import { z } from "zod";
import { searchOperations } from "./search/calls.ts";
import type { SandboxControl } from "./control.ts";
import { faultSubject } from "./search/faults.ts";

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
  const done = (did: boolean) => Response.json({ ok: did }, { status: did ? 200 : 404 });

  app.get("/items", (c) =>
    c.body(
      control
        .items()
        .map((item) => `${JSON.stringify(item)}\n`)
        .join(""),
      200,
      {
        "content-type": "application/x-ndjson; charset=utf-8",
      },
    ),
  );
  app.post("/items", async (c) => {
    control.add(await c.req.json());
    return done(true);
  });
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
  app.post("/batches", () => {
    control.runBatches();
    return done(true);
  });

  app.post("/faults", async (c) => {
    const { name, calls, operation } = fault.parse(await c.req.json());
    control.faults.fail(name, calls, operation);
    return done(true);
  });
  app.post("/faults/lasting", async (c) => {
    const { name, subject } = lastingFault.parse(await c.req.json());
    control.faults.stay(name, subject);
    return done(true);
  });
  app.delete("/faults", () => {
    control.faults.clear();
    return done(true);
  });
  app.get("/calls", (c) =>
    c.json({
      daily_limit: control.calls.dailyLimit(),
      counted_by_day: control.calls.countedByDay(),
      calls: control.calls.all(),
    }),
  );
  app.put("/daily-limit", async (c) => {
    control.calls.setDailyLimit(limit.parse(await c.req.json()).limit);
    return done(true);
  });

  app.get("/replay", (c) => (control.replay ? c.json(control.replay.progress()) : done(false)));
  app.post("/replay/start", () => {
    control.replay?.start();
    return done(control.replay !== null);
  });
  app.post("/replay/stop", () => {
    control.replay?.stop();
    return done(control.replay !== null);
  });
  app.post("/replay/advance", async (c) => {
    const { t } = advance.parse(await c.req.json());
    return control.replay ? c.json(control.replay.advanceTo(t)) : done(false);
  });
  return app;
}
