import type { Child } from "hono/jsx";
import type { ProblemDetails } from "../../../api/http/problems/problem.ts";
import { Layout } from "./layout.tsx";
import type { Page } from "./page.ts";

interface ProblemProps {
  page: Page;
  details: ProblemDetails;
  requestId: string;
}

export function ProblemPage(props: ProblemProps) {
  const { page, details } = props;
  const { m } = page;
  return (
    <Layout page={page} title={problemTitle(page, details)} noindex bodyClass="narrow">
      <ProblemNotice {...props}>
        {details.code === "link_over" ? (
          <a class="button" href="/alerts">
            {m.alerts.title}
          </a>
        ) : (
          <a class="button" href="/?q=">
            {m.problem.toSearch}
          </a>
        )}
      </ProblemNotice>
    </Layout>
  );
}

export function problemTitle(page: Page, details: ProblemDetails): string {
  return `${toWords(page, details).title} – ${page.m.name}`;
}

/** What went wrong; `children`: where to go from here. */
export function ProblemNotice(props: ProblemProps & { cause?: string; children: Child }) {
  const { page, details, requestId, cause } = props;
  const { title, text } = toWords(page, details);
  return (
    <section class="notice-page">
      <p class="status" aria-hidden="true">
        {details.status}
      </p>
      <h1>{title}</h1>
      <p>{text}</p>
      {cause !== undefined && <p class="fine">{cause}</p>}
      <p>{props.children}</p>
      {details.status >= 500 && (
        <p class="fine">
          {page.m.problem.reference}: <code>{requestId}</code>
        </p>
      )}
    </section>
  );
}

function toWords({ m }: Page, { status, code }: ProblemDetails): { title: string; text: string } {
  if (code === "cross_site") return m.problem.foreign;
  if (code === "no_alerts") return m.problem.noAlerts;
  if (code === "link_over") return m.problem.linkOver;
  if (code === "no_public_exports" || code === "unknown_export") return m.problem.noExport;
  if (status === 404 || status === 405) return m.problem.notFound;
  if (status === 410) return m.problem.gone;
  if (status === 429 || status === 503) return m.problem.unavailable;
  return status >= 500 ? m.problem.failed : m.problem.refused;
}
