import type { ProblemDetails } from "../../../api/http/problems/problem.ts";
import { Layout } from "./layout.tsx";
import type { Page } from "./page.ts";
export function ProblemPage(props: { page: Page; details: ProblemDetails; requestId: string }) {
  const { page, details, requestId } = props;
  const { m } = page;
  const { title, text } = toWords(page, details.status);
  return (
    <Layout page={page} title={`${title} – ${m.name}`} noindex bodyClass="narrow">
      <section class="notice-page">
        <p class="status" aria-hidden="true">
          {details.status}
        </p>
        <h1>{title}</h1>
        <p>{text}</p>
        <p>
          <a class="button" href="/?q=">
            {m.problem.toSearch}
          </a>
        </p>
        {details.status >= 500 && (
          <p class="fine">
            {m.problem.reference}: <code>{requestId}</code>
          </p>
        )}
      </section>
    </Layout>
  );
}

function toWords({ m }: Page, status: number): { title: string; text: string } {
  if (status === 404 || status === 405) return m.problem.notFound;
  if (status === 410) return m.problem.gone;
  if (status === 429 || status === 503) return m.problem.unavailable;
  return status >= 500 ? m.problem.failed : m.problem.refused;
}
