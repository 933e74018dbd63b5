import type { Context } from "hono";
import type { ApiEnv } from "../../api/http/env.ts";
import { Problem } from "../../api/http/problem.ts";
import { csrfMismatch, goTo, readForm, readSession, sendSignIn } from "./auth-guard.tsx";
import { tabPaths, type Tab } from "./frame.tsx";
import type { OpsMessages } from "./messages/ja.ts";
import type { ConsoleDeps, Notice, Values } from "./ops-page.ts";
import type { Session } from "./session.ts";

type Refusal = { notice: Notice; status: 400 | 403 | 404 | 409 };
type Show = (c: Context<ApiEnv>, session: Session, tab: Tab, refused: Refusal) => Promise<Response>;

/** One thing a form can do. */
export interface FormAction {
  path: string;
  /** The page it stands on; null: on all of them. */
  tab: Tab | null;
  done: (form: Values) => keyof OpsMessages["done"];
  /** Where on that page its outcome is told; empty: at the top. */
  at: (c: Context<ApiEnv>) => string;
  /** Throws a Problem where it is refused; a path to go to where nothing was done. */
  work: (c: Context<ApiEnv>, form: Values) => Promise<string | null>;
}

/**
 * Runs an action for who is signed in and sent a form of this very session. Done: the browser is sent
 * on, so that a reload repeats nothing. Refused: the same page again, with what had been filled in.
 */
export function handle(deps: ConsoleDeps, show: Show, action: FormAction) {
  return async (c: Context<ApiEnv>): Promise<Response> => {
    const tab = action.tab ?? cameFrom(c);
    const session = await readSession(c, deps);
    if (!session) return sendSignIn(c, deps, tabPaths[tab], null);
    const { form_token: formToken, ...form } = await readForm(c);
    const at = action.at(c);
    try {
      if (!deps.sessions.owns(session, formToken)) throw csrfMismatch();
      const elsewhere = await action.work(c, form);
      if (elsewhere !== null) return goTo(c, elsewhere);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return show(c, session, tab, toRefusal(error, at, form));
    }
    const told = new URLSearchParams({ done: action.done(form), at });
    return goTo(c, `${tabPaths[tab]}?${told.toString()}${tab === "schedule" ? `#job-${at}` : ""}`);
  };
}

function toRefusal({ details }: Problem, at: string, values: Values): Refusal {
  const { code, errors = [] } = details;
  const status = ([403, 404, 409] as const).find((one) => one === details.status) ?? 400;
  const place = status === 403 || status === 404 ? "" : at;
  return { notice: { kind: "refused", code, details: errors, at: place, values }, status };
}

/** The bar with the pause stands on every page, and leads back to it. */
function cameFrom(c: Context<ApiEnv>): Tab {
  const referer = c.req.header("Referer") ?? "";
  const path = URL.canParse(referer) ? new URL(referer).pathname : "";
  const tabs = Object.keys(tabPaths) as Tab[];
  return tabs.find((tab) => tabPaths[tab] === path) ?? "today";
}
