import type { AlertKind } from "../db/schema.ts";
import type { Language } from "../lib/languages.ts";
import { isRecord } from "../lib/is-record.ts";
import type { AlertEvent } from "./events.ts";

const kinds: Record<AlertKind, Record<Language, string>> = {
  new_match: { ja: "新しく該当", en: "New" },
  price_below: { ja: "希望価格以下", en: "Target price" },
  price_drop: { ja: "値下がり", en: "Price drop" },
  new_low: { ja: "最安値を更新", en: "New low" },
  back_in_stock: { ja: "再入荷", en: "Back in stock" },
  price_rise: { ja: "値上がり", en: "Price rise" },
  gone: { ja: "販売終了", en: "No longer sold" },
};

/** What happened, in one line for people: kind, product, prices. Data of another shape tell nothing, and harm no event beside. */
export function toHeadline(
  { kind, data: stored }: { kind: AlertEvent["kind"]; data: unknown },
  { lang, currency }: { lang: Language; currency: string },
): string {
  const data = isRecord(stored) ? stored : {};
  const title = typeof data.title === "string" ? data.title : "";
  const separator = lang === "ja" ? "：" : ": ";
  return `${kinds[kind][lang]}${separator}${title}${pricesOf(data, { lang, currency })}`;
}

function pricesOf(
  { price, prev_price: before }: Record<string, unknown>,
  { lang, currency }: { lang: Language; currency: string },
): string {
  if (typeof price !== "number" || price <= 0) return "";
  const format = new Intl.NumberFormat(lang, {
    style: "currency",
    currency,
    maximumFractionDigits: 0,
  });
  const isMoved = typeof before === "number" && before > 0 && before !== price;
  return ` ${isMoved ? `${format.format(before)} → ` : ""}${format.format(price)}`;
}
