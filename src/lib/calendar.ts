export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
/** Of a day without a change of the clocks. */
export const dayMs = 24 * hourMs;

/**
 * The upstream's calendar: its daily limit resets "when the date changes", in its own time zone.
 * Days are `YYYY-MM-DD`; the zone is an IANA name, daylight saving included.
 */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timezone: string): Intl.DateTimeFormat {
  let format = formats.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-CA", {
      timeZone: timezone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    });
    formats.set(timezone, format);
  }
  return format;
}

export function calendarDay(instant: Date, timezone: string): string {
  return formatOf(timezone).format(instant);
}

/** The first instant after `instant` that belongs to another calendar day (exact to 1 s). */
export function nextDayStart(instant: Date, timezone: string): Date {
  return dayBoundary(instant, timezone, 1);
}

/** The first instant of the calendar day that holds `instant` (exact to 1 s). */
export function dayStart(instant: Date, timezone: string): Date {
  return dayBoundary(instant, timezone, -1);
}

/** A local day lasts 23 to 25 hours, so it ends within 26 hours. Bisection needs no zone data. */
function dayBoundary(instant: Date, timezone: string, direction: 1 | -1): Date {
  const day = calendarDay(instant, timezone);
  let inside = Math.floor(instant.getTime() / 1000) * 1000;
  let outside = inside + direction * 26 * hourMs;
  while (Math.abs(outside - inside) > 1000) {
    const middle = Math.floor((inside + outside) / 2000) * 1000;
    if (calendarDay(new Date(middle), timezone) === day) inside = middle;
    else outside = middle;
  }
  return new Date(direction === 1 ? outside : inside);
}

export function isTimezone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Whether the text is a day that exists, such as `2026-01-31`. */
export function isDay(text: string): boolean {
  const at = /^[12]\d{3}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
