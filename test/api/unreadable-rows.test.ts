import { sql } from "drizzle-orm";
import { expect, inject, it } from "vitest";
import { createTestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { enterConsole } from "../support/console-sign-in.ts";
import { createKey } from "../support/keys.ts";
import { clock, opsApiForAll } from "../support/ops-api.ts";
import { searchItem } from "../support/products.ts";

const test = opsApiForAll();
const at = "2026-01-01T00:00:00Z";

const paths = {
  ops: ["/keys", "/calls", "/queries", "/webhooks", "/webhooks/deliveries"],
  console: ["/ops", "/ops/keys", "/ops/calls", "/ops/keywords", "/ops/webhooks"],
  everybody: ["/v1/shops", "/v1/products", "/v1/changes", "/v1/products/1", "/products/1", "/"],
  ownerOfKey: ["/v1/webhooks", "/v1/shops"],
};

const few = inject("long") ? Infinity : 2;
const moments = ["infinity", "0044-03-15 BC", "-infinity", "12000-01-01"].slice(0, few);
const shapes = ["null", "[{}]", "5", '"x"', "{}", "[5]"].slice(0, few);

/** What does not answer 200, with the check of all answers against the API's description. */
async function failing(key: string): Promise<string[]> {
  const api = createTestApi(test.db, { clock });
  const visit = await enterConsole(api);
  const statuses = [
    ...paths.ops.map((path) => [path, api.ops("GET", `/ops/v1${path}`)] as const),
    ...paths.console.map((path) => [path, visit.get(path)] as const),
    ...paths.everybody.map((path) => [path, api.get(path)] as const),
    ...paths.ownerOfKey.map((path) => [path, api.get(path, { "X-Api-Key": key })] as const),
  ].map(async ([path, sent]) => {
    const status = await sent.then(
      (answer) => answer.status,
      (error: unknown) => String(error),
    );
    return status === 200 ? [] : [`${path}: ${status}`];
  });
  return (await Promise.all(statuses)).flat();
}

it("what somebody wrote by hand into one row of a list in another shape breaks no list", async () => {
  const { db, api } = test;
  await storeItems(db, at, [searchItem(1, { shopId: "other" }), searchItem(2)]);
  const good = await createKey(api, {});
  const { key, key_id: spoilt } = await createKey(api, { origins: ["https://shop.example"] });
  await db.execute(sql`
    with owner as (
      insert into alert_owner (key_id, lang, created_at) values (${good.key_id}, 'en', ${at}) returning owner_id
    ), hook as (
      insert into webhook (owner_id, url, secret, created_at, failing_since)
      select owner_id, url, 'whsec_AAAA', ${at}, ${at} from owner, (values ('https://a.example'), ('no URL')) v (url)
      returning webhook_id
    ), delivery as (
      insert into webhook_delivery (webhook_id, state) select webhook_id, 'dead' from hook
    ), keyword as (
      insert into crawl_query (q, source, created_at) values ('財布', 'seed', ${at}), ('器', 'seed', ${at})
    )
    insert into api_call (day, purpose, operation, job, params, reserved_at, finished_at, outcome)
    select '2026-01-01', 'discovery', 'search', 'discover', '{"q": "器"}', ${at}, ${at}, 'ok' from generate_series(1, 2)`);
  expect(await failing(good.key)).toEqual([]);
  for (const moment of moments) {
    for (const update of [
      "shop set first_seen_at = $ where shop_id = 'other'",
      "product set changed_at = $, price_since = $ where item_id = 1",
      "product_change set at = $ where item_id = 1",
      `api_key set created_at = $ where key_id = ${spoilt}`,
      "api_call set reserved_at = $, finished_at = $ where id = 1",
      "crawl_query set created_at = $, asked_at = $, feed_checked_at = $, next_at = $ where q = '器'",
      "webhook set created_at = $, failing_since = $ where url = 'no URL'",
      "webhook_delivery set created_at = $, next_at = $ where delivery_id = 1",
    ])
      await db.execute(sql.raw(`update ${update.replaceAll("$", `'${moment}'`)}`));
    expect(await failing(good.key)).toEqual([]);
  }
  for (const json of shapes) {
    const shape = sql`${json}::text::jsonb`;
    await db.execute(sql`update api_key set origins = ${shape} where key_id = ${spoilt}`);
    await db.execute(sql`update api_call set params = ${shape} where id = 1`);
    expect(await failing(good.key)).toEqual([]);
    // It is still none that may be used from everywhere.
    const headers = { "X-Api-Key": key, Origin: "https://shop.example" };
    expect((await createTestApi(db, { clock }).get("/v1/shops", headers)).status).toBe(403);
  }
});
