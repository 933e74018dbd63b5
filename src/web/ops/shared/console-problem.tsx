import type { ProblemDetails } from "../../../api/http/problems/problem.ts";
import { problemText } from "../../../api/http/problems/problem-language.ts";
import { Layout } from "../../shared/page/layout.tsx";
import type { Page } from "../../shared/page/page.ts";
import { ProblemNotice, problemTitle } from "../../shared/page/problem-page.tsx";
import { messages } from "../messages/messages.ts";
import { Tabs, tabPaths, tabs, type Tab } from "./frame.tsx";

/** Why a page of the console cannot be shown, with its tabs. It shows nothing of the session, which may be the fault. */
export function ConsoleProblem(props: { page: Page; details: ProblemDetails; requestId: string }) {
  const { page, details } = props;
  const o = messages[page.lang];
  const tab = tabOf(page.url.pathname);
  return (
    <Layout
      page={page}
      title={problemTitle(page, details)}
      noindex
      extras={["ops.css"]}
      bodyClass="ops"
      header={<Tabs o={o} tab={tab} />}
    >
      <ProblemNotice {...props} cause={problemText(details.detail, page.lang)}>
        <a class="button" href={tabPaths[tab]}>
          {o.tryAgain}
        </a>
      </ProblemNotice>
    </Layout>
  );
}

/** The tab to which an address of the console belongs; that of today for all others. */
function tabOf(path: string): Tab {
  const owns = (tab: Tab) => tab !== "today" && `${path}/`.startsWith(`${tabPaths[tab]}/`);
  return tabs.find((tab) => owns(tab)) ?? "today";
}
