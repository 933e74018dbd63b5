import { Hono } from "hono";
import type { ApiEnv, ApiContext } from "../../api/http/deps.ts";
import { sendPage, type PageDeps } from "../shared/page/page.ts";
import { createFormHandler, toUnsent, type Outcome } from "./access/form-handler.ts";
import { createFormActions } from "./form-actions.ts";
import { createAudit } from "./audit-view.tsx";
import { createCalls } from "./calls/calls-view.tsx";
import { createBackoffs } from "./calls/backoffs-view.tsx";
import {
  consoleHeaders,
  fromOurPages,
  goTo,
  readSession,
  sendSignIn,
  signIn,
  signOut,
} from "./access/auth-guard.tsx";
import { Frame, tabAt, tabPaths, tabs, type Tab } from "./shared/frame.tsx";
import { createKeys } from "./keys-view.tsx";
import { createClicks } from "./clicks-view.tsx";
import { createKeywords } from "./keywords/keywords-view.tsx";
import { createMatches } from "./matches/matches-view.tsx";
import { createMirror } from "./mirror/mirror-view.tsx";
import { openOpsPage, toConsoleDeps, type View } from "./shared/ops-page.ts";
import { createPlan } from "./plan/plan-view.tsx";
import { createSchedule } from "./schedule/schedule-view.tsx";
import type { Session } from "./shared/session.ts";
import { createToday } from "./today/today-view.tsx";
import { createWebhooks } from "./alerts/webhooks-view.tsx";

/** The console for operators: needs a sign-in, is never cached or framed, allows no other site. */
export function consoleRoutes(pageDeps: PageDeps): Hono<ApiEnv> {
  const deps = toConsoleDeps(pageDeps);
  const views: Record<Tab, View> = {
    today: createToday(deps),
    schedule: createSchedule(deps),
    keywords: createKeywords(deps),
    plan: createPlan(deps),
    calls: createCalls(deps),
    backoffs: createBackoffs(deps),
    clicks: createClicks(deps),
    matches: createMatches(deps),
    mirror: createMirror(deps),
    webhooks: createWebhooks(deps),
    keys: createKeys(deps),
    audit: createAudit(deps),
  };

  async function show(
    c: ApiContext,
    session: Session,
    tab: Tab,
    outcome: Outcome | null,
  ): Promise<Response> {
    const opened = await openOpsPage(c, deps, session, outcome?.notice ?? null);
    // The address is that of the form, which may have no page.
    const page = outcome ? { ...opened, url: new URL(tabPaths[tab], c.req.url) } : opened;
    const content = await views[tab](page, c);
    const framed = <Frame {...{ page, tab }}>{content}</Frame>;
    return sendPage(c, page, framed, { status: outcome?.status ?? 200, headers: consoleHeaders });
  }

  const app = new Hono<ApiEnv>();
  for (const tab of tabs) {
    app.get(tabPaths[tab], async (c) => {
      const session = await readSession(c, deps);
      if (session) return show(c, session, tab, null);
      const fault = c.req.query("signed_in") === undefined ? null : "noCookie";
      return sendSignIn(c, deps, { next: tabPaths[tab], fault });
    });
  }
  /** Who opens the address of a form, as browsers do that are started again, gets the page that has it. */
  const leadBack = (path: string, tab: Tab) => app.get(path, (c) => goTo(c, tabPaths[tab]));
  app.post("/ops/sign-in", ...fromOurPages(), (c) =>
    signIn(c, deps, (session, path, typed) =>
      show(c, session, tabAt(path) ?? "today", toUnsent(typed)),
    ),
  );
  for (const action of createFormActions(deps)) {
    app.post(action.path, ...fromOurPages(), createFormHandler(deps, show, action));
    leadBack(action.path, action.tab ?? "today");
  }
  app.post("/ops/sign-out", ...fromOurPages(), (c) => signOut(c, deps));
  for (const path of ["/ops/sign-in", "/ops/sign-out"]) leadBack(path, "today");
  return app;
}
