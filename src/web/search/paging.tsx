import type { Page } from "../shared/page/page.ts";
import { hrefWith, lastPage, type SearchParams } from "./search-params.ts";

const around = 2;

export function Paging(props: { page: Page; search: SearchParams; found: number }) {
  const { page, search, found } = props;
  const { m } = page;
  const current = search.query.page;
  const last = lastPage(found, search.query);
  if (last === 1 && current === 1) return null;
  const href = (to: number) => hrefWith(search.params, { page: to === 1 ? null : String(to) });
  return (
    <nav class="paging" aria-label={m.search.pages}>
      {current > 1 && (
        <a href={href(Math.min(current - 1, last))} rel="prev" data-swap>
          {m.search.previous}
        </a>
      )}
      {toSteps(current, last).map((step) =>
        step === null ? (
          <span aria-hidden="true">…</span>
        ) : step === current ? (
          <span aria-current="page">{step}</span>
        ) : (
          <a href={href(step)} aria-label={m.search.pageNumber(step)} data-swap>
            {step}
          </a>
        ),
      )}
      {current < last && (
        <a href={href(current + 1)} rel="next" data-swap>
          {m.search.next}
        </a>
      )}
    </nav>
  );
}

/** The first page, the last one and those near the current one; null stands for a gap. */
function toSteps(current: number, last: number): (number | null)[] {
  const shown = Array.from({ length: last }, (_, index) => index + 1).filter(
    (step) => step === 1 || step === last || Math.abs(step - current) <= around,
  );
  return shown.flatMap((step, index) => {
    const previous = shown[index - 1];
    return previous !== undefined && step - previous > 1 ? [null, step] : [step];
  });
}
