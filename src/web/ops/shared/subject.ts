import type { OpsPage } from "./ops-page.ts";
import { isRecord } from "../../../lib/is-record.ts";

interface Call {
  operation: "search" | "refresh";
  params: Record<string, unknown>;
}

/** One line about what a call requests, from parameters of the ledger or the plan. */
export function toSubject({ o, f, lang }: OpsPage, { operation, params }: Call): string {
  const text = (name: string) => {
    const value = params[name];
    return typeof value === "string" || typeof value === "number" ? String(value) : null;
  };
  const shop = text("shop_id") ?? text("shopId");
  if (operation === "refresh") {
    const ids = params.item_id ?? params.itemIds;
    const count = Array.isArray(ids) ? o.plan.items(f.number(ids.length)) : null;
    return [o.plan.refresh, shop, count].filter((part) => part !== null).join(" · ");
  }
  const q = text("q");
  const start = text("start");
  const order = toOrder(params.sort);
  const from = start === null || start === "1" || start === "0" ? null : `#${start}`;
  const parts = [q === null ? null : lang === "ja" ? `「${q}」` : `"${q}"`, shop, order, from];
  return [o.plan.search, ...parts].filter((part) => part).join(" · ");
}

function toOrder(sort: unknown): string | null {
  const first: unknown = Array.isArray(sort) ? sort[0] : null;
  if (!isRecord(first) || !("column" in first) || !("direction" in first)) return null;
  return `${String(first.column)} ${String(first.direction)}`;
}
