import { sql } from "drizzle-orm";
import { onTestFinished } from "vitest";
import type { Db } from "../../src/db/open.ts";
import { shippedModel } from "../../src/matching/comparing/model-weights.ts";
import type { MatchModel } from "../../src/matching/comparing/model.ts";
import { storeItems } from "./catalog.ts";
import { createStep, matchAll, offer, readGroups } from "./matching.ts";
import { createTestDb, type TestDb } from "./postgres.ts";

const models = ["KX-300", "KX-301", "KX-302", "KX-303"];
const brands = ["Sony", "Bose"];
const extras = ["", "wireless", "black body kit", "with lens and strap", "parallel import box"];

/** Titles of ever fewer words in common, so that models judge some of them differently. */
export function listing(itemId: number, salt = 0) {
  const n = itemId * 7 + salt;
  const title = `${brands[n % 2]} ${models[(n >> 1) % 4]} camera ${extras[n % 5]} ${extras[(n >> 2) % 5]}`;
  const shopId = `shop-${itemId % 7}`;
  return offer(itemId, title, { shopId, shopName: shopId });
}

const ids = Array.from({ length: 70 }, (_, i) => i + 1);

/** A model that links next to nothing, or nearly everything that it may. */
function trained(version: number, bias: number): MatchModel {
  return { ...shippedModel, version, bias: shippedModel.bias + bias };
}
export const former = trained(1, 0);
export const strict = trained(2, -4);
export const lenient = trained(3, 3);

/** Until the end of the test. */
export async function openDatabase(): Promise<TestDb> {
  const test = await createTestDb();
  onTestFinished(test.close);
  return test;
}

export async function openCatalogue(model = former): Promise<TestDb> {
  const test = await openDatabase();
  await storeItems(
    test.db,
    "2026-01-01T00:00:00Z",
    ids.map((itemId) => listing(itemId)),
  );
  await matchAll(test.db, createStep(test.db, model));
  return test;
}

/** What a catalogue comes to that only ever knew this model. */
export async function groupsOf(
  model: MatchModel,
  change: (db: Db) => Promise<unknown> = async () => {},
) {
  const { db } = await openCatalogue(model);
  await change(db);
  await matchAll(db, createStep(db, model));
  return { groups: await readGroups(db), pairs: await readPairs(db) };
}

export const readPairs = async (db: Db) => [
  ...(await db.execute(sql`select a, b, score, tier, is_doubtful from match_pair order by a, b`)),
];
export const readReview = async (db: Db) => [
  ...(await db.execute(sql`select a, b from match_review order by a, b`)),
];
export async function readHead(db: Db) {
  const [head] = await db.execute<{ model: number; next_model: number | null }>(
    sql`select model, next_model from match_head`,
  );
  return head;
}
