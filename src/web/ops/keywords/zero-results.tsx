import { toKeywordState, type ZeroResult } from "../../../api/ops/zero-results.ts";
import type { OpsPage } from "../shared/ops-page.ts";
import { Figure } from "../shared/cells.tsx";

/** What visitors missed, and whether it has become a keyword. */
export function ZeroResults({
  page,
  searches,
}: {
  page: OpsPage;
  searches: readonly ZeroResult[];
}) {
  const { o, f, now } = page;
  const words = o.keywords.zeroResults;
  return (
    <section class="card panel" aria-labelledby="zero-results-heading">
      <h2 id="zero-results-heading">{words.title}</h2>
      <p class="fine">{searches.length === 0 ? words.empty : words.lead}</p>
      <ul class="keywords">
        {searches.map(({ q, times, visitors, lastAt, keyword }) => (
          <li>
            <div class="keyword">
              <h3>
                <bdi>{q}</bdi>
              </h3>
              <p class="fine">
                <span class="tag">
                  {keyword === null ? words.waiting : words.states[toKeywordState(keyword, now)]}
                </span>
              </p>
            </div>
            <dl class="small-figures">
              <Figure name={words.visitors}>
                <strong>{f.number(visitors)}</strong>
              </Figure>
              <Figure name={words.times}>{f.number(times)}</Figure>
              <Figure name={words.last}>{f.ago(lastAt, now)}</Figure>
            </dl>
          </li>
        ))}
      </ul>
    </section>
  );
}
