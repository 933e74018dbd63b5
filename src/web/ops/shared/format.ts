import { calendarDay } from "../../../lib/calendar.ts";
import type { Language } from "../../../lib/languages.ts";

export type Format = ReturnType<typeof createFormat>;

/** Formats numbers and times for a language, as of `now`. Times are in the upstream's time zone. */
export function createFormat(language: Language, timezone: string, now: Date) {
  const locale = language === "ja" ? "ja-JP" : "en-GB";
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const significant = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });
  const share = new Intl.NumberFormat(locale, {
    style: "percent",
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const moment = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: timezone, hourCycle: "h23", ...options });
  const clockTime = moment({ hour: "2-digit", minute: "2-digit" });
  const full = moment({
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  const soon = moment({ month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
  const day = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", timeZone: "UTC" });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  return {
    number: (value: number) => whole.format(value),
    decimal: (value: number, digits = 1) =>
      new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value),
    /** With three significant digits, for values of any size. */
    significant: (value: number) => significant.format(value),
    /** Of a share from 0 to 1. */
    percent: (value: number) => share.format(value),
    time: (at: Date) => clockTime.format(at),
    dateTime: (at: Date) => full.format(at),
    /** A time of today, or a day and a time. */
    nearby: (at: Date) =>
      calendarDay(at, timezone) === calendarDay(now, timezone)
        ? clockTime.format(at)
        : soon.format(at),
    /** `2026-01-31` in the language's format. */
    day: (text: string) => day.format(new Date(`${text}T00:00:00Z`)),
    duration(seconds: number) {
      const { count, unit } = inUnit(seconds);
      return new Intl.NumberFormat(locale, {
        style: "unit",
        unit,
        unitDisplay: "long",
        maximumFractionDigits: count < 10 && unit !== "second" ? 1 : 0,
      }).format(count);
    },
    ago(at: Date) {
      const { count, unit } = inUnit(Math.max(0, (now.getTime() - at.getTime()) / 1000));
      return relative.format(-Math.round(count), unit);
    },
  };
}

function inUnit(seconds: number): { count: number; unit: "second" | "minute" | "hour" | "day" } {
  if (seconds < 90) return { count: seconds, unit: "second" };
  if (seconds < 90 * 60) return { count: seconds / 60, unit: "minute" };
  if (seconds < 48 * 3600) return { count: seconds / 3600, unit: "hour" };
  return { count: seconds / 86_400, unit: "day" };
}
