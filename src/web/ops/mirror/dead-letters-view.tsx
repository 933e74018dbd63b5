import { WideTable } from "../../shared/table.tsx";
import { readDeadLetters } from "../../../search/mirror/writes/dead-letters.ts";
import type { Db } from "../../../db/open.ts";
import { NextPage, type Query } from "../shared/filters.tsx";
import { Card, RowsAction, tabPaths } from "../shared/frame.tsx";
import type { OpsPage } from "../shared/ops-page.ts";
import { ProductLink } from "../shared/cells.tsx";

const perPage = 50;
const resendPath = "/ops/mirror/resend";

type Letters = Awaited<ReturnType<typeof readDeadLetterPage>>;

export function readDeadLetterPage(db: Db, after = 0) {
  return readDeadLetters(db, { limit: perPage, after });
}

/** Products that the search engine refuses, and what can be done about each or all of a page. */
export function DeadLettersCard(props: { page: OpsPage; query: Query; letters: Letters }) {
  const { page, query, letters } = props;
  const { o, f, m } = page;
  const words = o.filters;
  const { items, next } = letters;
  return (
    <Card id="dead-letters" title={words.deadLetters} live>
      <WideTable
        label={words.deadLetters}
        empty={words.noDeadLetters}
        rows={items}
        columns={({ head, column, times }) => [
          head(m.product.product, ProductLink),
          column(m.product.shop, ({ shopName }) => <bdi>{shopName}</bdi>),
          times(o.mirror.since, ({ since }) => f.dateTime(since)),
          { name: o.mirror.error, lang: "en", cell: ({ error }) => error },
          column(o.action, ({ itemId, title }) => (
            <RowsAction
              page={page}
              to={resendPath}
              label={words.resend}
              about={title}
              ids={[itemId]}
            />
          )),
        ]}
      />
      <RowsAction
        page={page}
        to={resendPath}
        label={words.resendPage}
        ids={items.map(({ itemId }) => itemId)}
      />
      <NextPage page={page} path={tabPaths.mirror} query={query} name="dead_after" at={next} />
    </Card>
  );
}
