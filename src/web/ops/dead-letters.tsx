import { readDeadLetters, type DeadLetter } from "../../search/mirror/dead-letters.ts";
import type { Db } from "../../db/open.ts";
import { Table } from "../shared/table.tsx";
import { NextPage } from "./filters.tsx";
import { Card, RowsAction, tabPaths, Wide } from "./frame.tsx";
import type { OpsPage } from "./ops-page.ts";

const perPage = 50;
const resendPath = "/ops/mirror/resend";

export function readDeadLetterPage(db: Db, after: number | undefined): Promise<DeadLetter[]> {
  return readDeadLetters(db, { limit: perPage, after: after ?? 0 });
}

/** Products that the search engine refuses, and what can be done about each or all of a page. */
export function DeadLettersCard({ page, items }: { page: OpsPage; items: readonly DeadLetter[] }) {
  const { o, f } = page;
  const words = o.filters;
  const last = items.length === perPage ? items.at(-1)?.itemId : undefined;
  return (
    <Card id="dead-letters" title={words.deadLetters} live>
      {items.length === 0 && <p class="quiet">{words.noDeadLetters}</p>}
      {items.length > 0 && (
        <Wide label={words.deadLetters}>
          <Table
            rows={items}
            columns={[
              {
                name: o.held.product,
                isHead: true,
                cell: ({ itemId, title }) => (
                  <a href={`/products/${itemId}`}>
                    <bdi>{title}</bdi>
                  </a>
                ),
              },
              { name: o.held.shop, cell: ({ shopName }) => <bdi>{shopName}</bdi> },
              { name: o.mirror.since, look: "when", cell: ({ since }) => f.dateTime(since) },
              { name: o.mirror.error, lang: "en", cell: ({ error }) => error },
              {
                name: words.action,
                cell: ({ itemId, title }) => (
                  <RowsAction
                    page={page}
                    to={resendPath}
                    label={words.resend}
                    about={title}
                    look="plain small"
                    ids={[itemId]}
                    confirm={null}
                  />
                ),
              },
            ]}
          />
        </Wide>
      )}
      <RowsAction
        page={page}
        to={resendPath}
        label={words.resendPage}
        look="plain small"
        ids={items.map(({ itemId }) => itemId)}
        confirm={null}
      />
      <NextPage
        page={page}
        path={tabPaths.mirror}
        query={{ dead_after: last }}
        isLast={last === undefined}
      />
    </Card>
  );
}
