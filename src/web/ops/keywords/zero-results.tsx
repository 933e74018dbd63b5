import { toKeywordState, type ZeroResult } from "../../../api/ops/zero-results.ts";
import { Card } from "../shared/frame.tsx";
import type { OpsPage } from "../shared/ops-page.ts";
import { Figure } from "../shared/cells.tsx";

/** What visitors missed, and whether it has become a keyword. */
export function ZeroResults(props: { page: OpsPage; searches: readonly ZeroResult[] }) {
  const { page, searches } = props;
  const { o, f, now } = page;
  const words = o.keywords.zeroResults;
  return (
    <Card id="zero-results" title={words.title}>
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
              <Figure name={words.visitors} value={f.number(visitors)} />
              <Figure name={words.times}>{f.number(times)}</Figure>
              <Figure name={words.last}>{f.ago(lastAt, now)}</Figure>
            </dl>
          </li>
        ))}
      </ul>
    </Card>
  );
}
