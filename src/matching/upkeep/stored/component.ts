import { sql } from "drizzle-orm";
import { anyId, type RowOf, toRecords } from "../../../db/rows.ts";
import type { Tx } from "../../../db/open.ts";
import type { MatchKind } from "../../../db/schema/matching.ts";
import {
  linksOfCodes,
  type Component,
  type Couple,
  type Link,
  type Listing,
} from "../../groups/clusters.ts";
import { toCodeKey } from "../../comparing/keys.ts";
import { vetoes } from "../../comparing/vetoes.ts";
import { readDecisions, type Decided } from "./pair-rows.ts";
import { readTrueCodes } from "./keys-store.ts";
import { readOtherPackages } from "./attribute-rows.ts";

export interface RegroupInput {
  component: Component;
  /** Groups of the products before; deleted products are still in theirs. */
  before: Map<number, { groupId: number; kind: MatchKind; score: number }>;
}

/** Links of titles join at most one offer of a shop; only chains of wrong codes could lead further. */
export const mostProducts = 10_000;

/**
 * All that decides on the groups of these products: whatever links, codes, decisions and present groups
 * lead to. If that is more than `most` products: only their ids, as far as they were read.
 */
export async function readRegroupInput(
  tx: Tx,
  itemIds: readonly number[],
  most: number,
): Promise<RegroupInput | ReadonlySet<number>> {
  const links = new Map<string, Link>();
  const decided = new Map<string, Decided>();
  const before: RegroupInput["before"] = new Map();
  const listings: Listing[] = [];
  const seen = new Set(itemIds);
  let frontier = [...seen];
  while (frontier.length > 0) {
    const reached = new Set<number>();
    for (const { group_id, item_id, kind, score } of await readMates(tx, frontier)) {
      before.set(item_id, { groupId: group_id, kind, score: Math.fround(score) });
      reached.add(item_id);
    }
    for (const link of await readLinks(tx, frontier)) {
      links.set(`${link.a} ${link.b}`, { ...link, score: Math.fround(link.score) });
      reached.add(link.a).add(link.b);
    }
    for (const decision of await readDecisions(tx, frontier)) {
      decided.set(`${decision.a} ${decision.b}`, decision);
      if (decision.decision === "same") reached.add(decision.a).add(decision.b);
    }
    const found = await readListings(tx, frontier);
    listings.push(...found);
    for (const itemId of await readSharing(tx, found)) reached.add(itemId);
    frontier = [...reached].filter((itemId) => !seen.has(itemId));
    for (const itemId of frontier) seen.add(itemId);
    if (seen.size > most + itemIds.length) return seen;
  }
  return { component: await toComponent(tx, listings, links, decided), before };
}

async function toComponent(
  tx: Tx,
  listings: readonly Listing[],
  links: ReadonlyMap<string, Link>,
  decided: ReadonlyMap<string, Decided>,
): Promise<Component> {
  const decisions = [...decided.values()];
  const trueCodes = await readTrueCodes(tx, listings);
  const coded = listings.map((listing) => ({
    ...listing,
    codes: listing.codes.filter((code) => trueCodes.has(code)),
  }));
  const codeLinks = linksOfCodes(coded);
  const packages = await readOtherPackages(tx, codeLinks);
  return {
    listings: coded,
    links: [
      ...links.values(),
      ...codeLinks,
      ...decisions
        .filter(({ decision }) => decision === "same")
        .map(({ a, b }) => ({ a, b, kind: "manual" as const, score: 1 })),
    ],
    different: decisions
      .filter(({ decision }) => decision === "different")
      .map(({ a, b }) => [a, b] as const),
    variants: await readVariants(tx, links),
    packages: packages.map(({ a, b }) => [a, b]),
  };
}

/** A bare number and a price are too weak a sign for what no single pair says. */
const variantVetoes = vetoes.filter((veto) => veto !== "number" && veto !== "price");

async function readVariants(tx: Tx, links: ReadonlyMap<string, Link>): Promise<Couple[]> {
  const itemIds = [...new Set([...links.values()].flatMap(({ a, b }) => [a, b]))];
  if (itemIds.length < 3) return [];
  const rows = await tx.execute<{ a: number; b: number }>(sql`
    select a, b from match_pair where a = ${anyId(itemIds)} and b = ${anyId(itemIds)}
      and vetoes && string_to_array(${variantVetoes.join()}::text, ',')`);
  return rows.map(({ a, b }) => [a, b]);
}

async function readMates(tx: Tx, itemIds: readonly number[]) {
  return tx.execute<{ group_id: number; item_id: number; kind: MatchKind; score: number }>(sql`
    select group_id, item_id, kind, score from group_member where group_id = any (array(
      select group_id from group_member where item_id = ${anyId(itemIds)}))`);
}

async function readLinks(tx: Tx, itemIds: readonly number[]) {
  const ids = anyId(itemIds);
  return tx.execute<{ a: number; b: number; kind: "model" | "text"; score: number }>(sql`
    select a, b, kind, score from match_pair where a = ${ids} and tier = 'equal' and rule is null
    union all
    select a, b, kind, score from match_pair where b = ${ids} and tier = 'equal' and rule is null`);
}

async function readListings(tx: Tx, itemIds: readonly number[]): Promise<Listing[]> {
  const rows = await tx.execute<RowOf<Listing>>(sql`
    select item_id, shop_id, condition, to_json(codes) as codes
    from match_item where item_id = ${anyId(itemIds)}`);
  return toRecords<Listing>(rows, {});
}

/** Products with a code of these that is no placeholder. */
async function readSharing(tx: Tx, listings: readonly Listing[]): Promise<number[]> {
  const codes = await readTrueCodes(tx, listings);
  if (codes.size === 0) return [];
  const rows = await tx.execute<{ item_id: number }>(sql`
    select item_id from match_key where key = ${anyId([...codes].map(toCodeKey))}`);
  return rows.map(({ item_id }) => item_id);
}
