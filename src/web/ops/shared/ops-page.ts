import type { Child } from "hono/jsx";
import { createOpsActions, type OpsActions } from "../../../api/ops/actions/actions.ts";
import type { Actor } from "../../../api/ops/actions/audit-log.ts";
import { operatorsOf } from "../../../api/http/operators.ts";
import type { ProblemDetails } from "../../../api/http/problems/problem.ts";
import type { ApiContext } from "../../../api/http/deps.ts";
import { readCrawlState, type CrawlState } from "../../../crawl/safety/pause.ts";
import { openPage, type Page, type PageDeps } from "../../shared/page/page.ts";
import { messages, type OpsMessages } from "../messages/messages.ts";
import { createSessions, type Session, type Sessions } from "./session.ts";
import { calendarDay } from "../../../lib/calendar.ts";
import type { Language } from "../../../lib/languages.ts";

export interface ConsoleDeps extends PageDeps {
  sessions: Sessions;
  actions: OpsActions;
}

export interface OpsPage extends Page {
  o: OpsMessages;
  f: Format;
  session: Session;
  crawl: CrawlState;
  notice: Notice | null;
}

/** A page without its frame. */
export type View = (page: OpsPage, c: ApiContext) => Promise<Child>;

export type Notice =
  | { kind: "done"; code: keyof OpsMessages["done"]; at: string }
  /** A new key, which no other page shows. */
  | { kind: "key"; name: string; text: string }
  /** A form that was sent to be looked at. */
  | { kind: "trial"; at: string; values: Values }
  | { kind: "refused"; problem: ProblemDetails; at: string; values: Values };

export type Values = Readonly<Record<string, string>>;

export function toConsoleDeps(deps: PageDeps): ConsoleDeps {
  return {
    ...deps,
    sessions: createSessions(operatorsOf(deps)),
    actions: createOpsActions(deps),
  };
}

export function openConsole(c: ApiContext, deps: PageDeps) {
  const page = openPage(c, deps);
  return {
    ...page,
    o: messages[page.lang],
    f: createFormat(page.lang, deps.budget.timezone, page.now),
  };
}

export async function openOpsPage(
  c: ApiContext,
  deps: PageDeps,
  session: Session,
  notice: Notice | null,
): Promise<OpsPage> {
  const crawl = await readCrawlState(deps.opsDb);
  return { ...openConsole(c, deps), session, crawl, notice: notice ?? toDone(c) };
}

/** After an action the address names it. Unknown names are ignored. */
function toDone(c: ApiContext): Notice | null {
  const text = c.req.query("done");
  const code = doneCodes.find((known) => known === text);
  return code === undefined ? null : { kind: "done", code, at: c.req.query("at") ?? "" };
}

const doneCodes = Object.keys(messages.ja.done) as (keyof OpsMessages["done"])[];

export function byConsole(c: ApiContext): Actor {
  return { via: "console", requestId: c.get("requestId"), ...c.get("operator") };
}

/** Whether the signed-in operator may change anything. */
export function mayOperate({ session }: OpsPage): boolean {
  return session.operator.role === "operate";
}

/** The text of a name, which the dictionary may lack. */
export function nameOf(names: Readonly<Record<string, string>>, key: string): string {
  return new Map(Object.entries(names)).get(key) ?? key;
}

/** What was typed into the form at this place, if it was refused or only looked at. */
export function typedAt({ notice }: OpsPage, at: string): Values | null {
  return notice !== null && "values" in notice && notice.at === at ? notice.values : null;
}

/** What was typed into the form at this place, if it was refused. */
export function refusedAt({ notice }: OpsPage, at: string): Values | null {
  return notice?.kind === "refused" && notice.at === at ? notice.values : null;
}

type Format = ReturnType<typeof createFormat>;

/** Formats numbers and times for a language, as of `now`. Times are in the upstream's time zone. */
function createFormat(language: Language, timezone: string, now: Date) {
  const locale = language === "ja" ? "ja-JP" : "en-GB";
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
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
