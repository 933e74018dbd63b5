import type { Child } from "hono/jsx";
import { createOpsActions, type OpsActions } from "../../../api/ops/actions/actions.ts";
import type { Actor } from "../../../api/ops/actions/audit-log.ts";
import { operatorsOf } from "../../../api/http/operators.ts";
import type { ProblemDetails } from "../../../api/http/problems/problem.ts";
import type { ApiContext } from "../../../api/http/deps.ts";
import { readCrawlState, type CrawlState } from "../../../crawl/safety/pause.ts";
import { openPage, type Page, type PageDeps } from "../../shared/page/page.ts";
import { createFormat, type Format } from "./format.ts";
import { messages, type OpsMessages } from "../messages/messages.ts";
import { createSessions, type Session, type Sessions } from "./session.ts";

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

/** What was typed into the form at this place, if it was refused. */
export function refusedAt({ notice }: OpsPage, at: string): Values | null {
  return notice?.kind === "refused" && notice.at === at ? notice.values : null;
}
