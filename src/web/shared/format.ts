import { capped } from "../../search/index/normalise.ts";
import type { Language } from "../../lib/languages.ts";

const grouped = new Intl.NumberFormat("en");

export function count(value: number): string {
  return grouped.format(value);
}

const currencies = new Map<string, Intl.NumberFormat>();

/** Prices in whole units of a currency, such as ¥4,200. */
export function moneyIn(currency: string): (price: number) => string {
  let format = currencies.get(currency);
  if (!format) {
    format = new Intl.NumberFormat("en", { style: "currency", currency, maximumFractionDigits: 0 });
    currencies.set(currency, format);
  }
  return format.format;
}

/** What people type for a price, such as １，０００円, as digits alone. */
export function plainPrice(text: string): string {
  return text.normalize("NFKC").replaceAll(/[,、\p{Sc}円\s]/gu, "");
}

const unitsOf = {
  ja: { day: "日前", hour: "時間前", minute: "分前", now: "たった今" },
  en: { day: "day", hour: "hour", minute: "minute", now: "just now" },
};

/** How long ago, in the largest unit that fits: 7分前, 7 minutes ago. */
export function ago(seconds: number, lang: Language): string {
  const units = unitsOf[lang];
  if (seconds < 60) return units.now;
  const [value, unit] =
    seconds < 3600
      ? [Math.floor(seconds / 60), units.minute]
      : seconds < 86_400
        ? [Math.floor(seconds / 3600), units.hour]
        : [Math.floor(seconds / 86_400), units.day];
  if (lang === "ja") return `${value}${unit}`;
  return `${value} ${unit}${value === 1 ? "" : "s"} ago`;
}

const localeOf = { ja: "ja-JP", en: "en-GB" };
const shapes = {
  moment: { dateStyle: "medium", timeStyle: "short" },
  day: { dateStyle: "medium" },
  tick: { month: "numeric", day: "numeric" },
  tickMonth: { year: "numeric", month: "numeric" },
  tickTime: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const formats = new Map<string, Intl.DateTimeFormat>();

/** In the time zone of Japan, where the shops are. */
export function date(instant: Date, shape: keyof typeof shapes, lang: Language): string {
  const key = `${lang} ${shape}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(localeOf[lang], { ...shapes[shape], timeZone: "Asia/Tokyo" });
    formats.set(key, format);
  }
  return format.format(instant);
}

/** The beginning of a text, which may have any length. */
export function beginning(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${capped(text, maxChars).trimEnd()}…`;
}
