import type { ApiContext } from "../../../api/http/deps.ts";
import { Problem } from "../../../api/http/problems/problem.ts";
import { refuseFaults } from "../../../api/http/route.ts";
import { refuseReader } from "../../../api/ops/token-gate.ts";
import {
  goTo,
  readForm,
  readSession,
  refuseForgery,
  sendSignIn,
  type TypedForm,
} from "./auth-guard.tsx";
import { tabAt, tabPaths, type Tab } from "../shared/frame.tsx";
import type { OpsMessages } from "../messages/messages.ts";
import type { ConsoleDeps, Notice, Values } from "../shared/ops-page.ts";
import type { Session } from "../shared/session.ts";

export type Outcome = { notice: Notice; status: 200 | 201 | 400 | 403 | 404 | 409 };
type Show = (c: ApiContext, session: Session, tab: Tab, outcome: Outcome) => Promise<Response>;
export interface FormAction {
  path: string;
  /** The page with the form; null: all pages. */
  tab: Tab | null;
  done: (form: Values) => keyof OpsMessages["done"];
  /** Where the page shows the outcome; empty: at the top. */
  at: (c: ApiContext) => string;
  /**
   * Throws a Problem if it is refused. Returns what the page shows only now, if anything.
   */
  work: (c: ApiContext, form: Values, session: Session) => Promise<Notice | null>;
}

/**
 * Runs an action for a signed-in operator with a form of this session. If done, redirects, so that a
 * reload repeats nothing. If refused, shows the same page with the filled-in values.
 */
export function createFormHandler(deps: ConsoleDeps, show: Show, action: FormAction) {
  return async (c: ApiContext): Promise<Response> => {
    const from = cameFrom(c);
    const tab = action.tab ?? from.tab;
    const session = await readSession(c, deps);
    const { form_token: formToken, ...form } = await readForm(c);
    const at = action.at(c);
    if (!session) {
      const typed = Object.keys(form).length > 0 ? { at, values: form } : null;
      return sendSignIn(c, deps, { next: tabPaths[tab], fault: "ended", typed });
    }
    let result: Awaited<ReturnType<FormAction["work"]>>;
    try {
      if (!deps.sessions.owns(session, formToken)) refuseForgery();
      refuseReader(session.operator);
      refuseFaults({ success: true, data: form });
      result = await action.work(c, form, session);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return show(c, session, tab, toRefusal(error, at, form));
    }
    if (result !== null) {
      const status = result.kind === "trial" ? 200 : 201;
      return show(c, session, tab, { notice: result, status });
    }
    const query = from.tab === tab ? from.query : new URLSearchParams();
    query.set("done", action.done(form));
    query.set("at", at);
    return goTo(c, `${tabPaths[tab]}?${query.toString()}${tab === "schedule" ? `#job-${at}` : ""}`);
  };
}

/** A form that came when its session had ended: nothing came of it, and it can be sent again. */
export function toUnsent({ at, values }: TypedForm): Outcome {
  const detail = "the session had ended";
  const problem = { status: 401, code: "session_ended", detail } as const;
  return { notice: { kind: "refused", problem, at, values }, status: 200 };
}

function toRefusal({ details: problem }: Problem, at: string, values: Values): Outcome {
  const { code } = problem;
  const status = ([403, 404, 409] as const).find((one) => one === problem.status) ?? 400;
  // What was typed into a form of an earlier session can be sent again. If another
  // operator changed the job, the form shows what is stored.
  const place = code === "role_required" || code === "job_changed" || status === 404 ? "" : at;
  return { notice: { kind: "refused", problem, at: place, values }, status };
}

/**
 * The page with the form, with its filters and place in a list: the redirect leads back there. It may be any
 * page, because each has the pause button.
 */
function cameFrom(c: ApiContext): { tab: Tab; query: URLSearchParams } {
  const referer = c.req.header("Referer") ?? "";
  const from = URL.canParse(referer) ? new URL(referer) : null;
  const tab = from ? tabAt(from.pathname) : undefined;
  return { tab: tab ?? "today", query: new URLSearchParams(tab && from?.search) };
}
