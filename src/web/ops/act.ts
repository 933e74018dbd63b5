import type { Context } from "hono";
import type { ApiEnv } from "../../api/env.ts";
import { Problem } from "../../api/problem.ts";
import { readOrRefuse } from "../../api/validation.ts";
import { heldScope } from "../../api/ops/deletions.ts";
import { newQuery } from "../../api/ops/queries.ts";
import type { HeldScope } from "../../catalog/held-deletions.ts";
import { forged, goTo, readForm, readSession, sendSignIn } from "./door.tsx";
import { tabPaths, type Tab } from "./frame.tsx";
import { jobFormActions } from "./job-form.ts";
import type { OpsMessages } from "./messages/ja.ts";
import { byConsole, type ConsoleDeps, type Notice, type Values } from "./ops-page.ts";
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

/** Everything the console does is done by the functions of the ops API. */
export function createFormActions(deps: ConsoleDeps): FormAction[] {
  const { actions } = deps;
  const onTop = () => "";
  const simple = (
    path: string,
    tab: Tab | null,
    done: keyof OpsMessages["done"],
    work: (c: Context<ApiEnv>, form: Values) => Promise<unknown>,
  ): FormAction => ({
    path,
    tab,
    done: () => done,
    at: tab === null ? onTop : () => tab,
    work: async (c, form) => {
      await work(c, form);
      return null;
    },
  });
  return [
    simple("/ops/pause", null, "paused", (c) => actions.setPaused(byConsole(c), true)),
    simple("/ops/resume", null, "resumed", (c) => actions.setPaused(byConsole(c), false)),
    ...jobFormActions(deps),
    simple("/ops/keywords", "keywords", "keyword_added", (c, form) => {
      const wish = readOrRefuse(newQuery, { q: form.q, shop_id: form.shop_id?.trim() || null });
      return actions.addQuery(byConsole(c), { q: wish.q, shopId: wish.shop_id ?? null });
    }),
    {
      ...simple("/ops/keywords/:id{[0-9]{1,15}}", "keywords", "keyword_paused", (c, form) => {
        const enabled = form.enabled === "true";
        return actions.changeQuery(byConsole(c), Number(c.req.param("id")), { enabled });
      }),
      done: (form) => (form.enabled === "true" ? "keyword_resumed" : "keyword_paused"),
    },
    simple("/ops/keywords/:id{[0-9]{1,15}}/remove", "keywords", "keyword_removed", (c) =>
      actions.removeQuery(byConsole(c), Number(c.req.param("id"))),
    ),
    simple("/ops/backoffs/:id{[0-9]{1,15}}/retry", "backoffs", "backoff_retried", (c) =>
      actions.retryBackoff(byConsole(c), Number(c.req.param("id"))),
    ),
    simple("/ops/mirror/verify", "mirror", "proof_started", (c) =>
      actions.runJob(byConsole(c), "verify-mirror"),
    ),
    simple("/ops/mirror/rebuild", "mirror", "rebuild_started", (c) =>
      actions.startRebuild(byConsole(c)),
    ),
    simple("/ops/deletions/release", "mirror", "deletions_released", async (c, form) =>
      actions.releaseDeletions(byConsole(c), await readScope(c, form)),
    ),
    simple("/ops/deletions/discard", "mirror", "deletions_discarded", async (c, form) =>
      actions.discardDeletions(byConsole(c), await readScope(c, form)),
    ),
  ];
}

/** Which held deletions a form means: the ticked ones, which may be none, those of its shop, or all. */
async function readScope(c: Context<ApiEnv>, form: Values): Promise<HeldScope> {
  if (form.chosen === undefined) return { shopId: form.shop_id };
  const ticked = (await c.req.formData()).getAll("item_id");
  const { item_ids: itemIds } = readOrRefuse(heldScope, { item_ids: ticked.map(Number) });
  return { itemIds };
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
      if (!deps.sessions.owns(session, formToken)) throw forged();
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
