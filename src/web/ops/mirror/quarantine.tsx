import type { QuarantinedItem } from "../../../catalog/observing/quarantine.ts";
import type { NewestPage } from "../../../db/newest.ts";
import { Filters, NextPage, type Query } from "../shared/filters.tsx";
import { RowsAction, tabPaths } from "../shared/frame.tsx";
import type { OpsPage } from "../shared/ops-page.ts";
import { Reason } from "../shared/cells.tsx";

const charsShown = 4000;
const recheckPath = "/ops/quarantine/recheck";
const dropPath = "/ops/quarantine/drop";

interface QuarantineProps {
  page: OpsPage;
  /** All parameters of the page. */
  query: Query;
  fields: ReturnType<typeof quarantineFields>;
  asked: Readonly<Record<"reason" | "shop_id", string | undefined>>;
  found: NewestPage<QuarantinedItem>;
}

export const quarantineFields = ({ o: { filters } }: OpsPage) => ({
  reason: { label: filters.reason },
  shop_id: { label: filters.shop },
});

/** Items that could not be read, as they were sent. Always shown as plain text. */
export function Quarantine(props: QuarantineProps) {
  const { page, query, fields, asked, found } = props;
  const { items, next } = found;
  const { o, f } = page;
  const words = o.filters;
  const ids = items.map(({ id }) => id);
  return (
    <>
      <p class="quiet">{o.mirror.quarantineLead}</p>
      <Filters
        page={page}
        path={tabPaths.mirror}
        fields={fields}
        asked={asked}
        query={{ ...query, before: undefined }}
      />
      {items.length === 0 && (
        <p class="quiet">{next === null ? o.mirror.quarantineEmpty : words.further}</p>
      )}
      <ul class="quarantine">
        {items.map((item) => (
          <Item page={page} item={item} />
        ))}
      </ul>
      <div class="buttons">
        <RowsAction page={page} to={recheckPath} label={words.recheckPage} ids={ids} />
        <RowsAction
          page={page}
          to={dropPath}
          label={words.dropPage}
          ids={ids}
          confirm={words.dropConfirm(f.number(ids.length))}
        />
      </div>
      <NextPage page={page} path={tabPaths.mirror} query={query} name="before" at={next} />
    </>
  );
}

function Item({ page, item }: { page: OpsPage; item: QuarantinedItem }) {
  const { o, f } = page;
  const words = o.filters;
  const isCut = item.raw.length > charsShown;
  const name = item.title ?? String(item.itemId ?? o.mirror.anonymous);
  return (
    <li>
      <p>
        <strong>
          {item.title === null ? name : <a href={`/products/${item.itemId}`}>{name}</a>}
        </strong>{" "}
        {item.shopName !== null && <bdi>{item.shopName}</bdi>} <Reason text={item.reason} />{" "}
        <span class="fine">
          {f.ago(item.seenAt)},{" "}
          <a href={`${tabPaths.calls}?id=${item.callId}`}>
            {o.mirror.call} {item.callId}
          </a>
          {item.times > 1 && `, ${o.mirror.times(f.number(item.times), f.ago(item.firstSeenAt))}`}
        </span>
      </p>
      <details>
        <summary>{o.mirror.raw}</summary>
        <pre tabindex={0} dir="ltr" aria-label={o.mirror.raw} role="region">
          {item.raw.slice(0, charsShown).toWellFormed()}
        </pre>
        {isCut && <p class="fine">{o.mirror.cut(f.number(charsShown))}</p>}
      </details>
      <div class="buttons">
        {item.title !== null && (
          <RowsAction
            page={page}
            to={recheckPath}
            label={words.recheck}
            about={name}
            ids={[item.id]}
          />
        )}
        <RowsAction
          page={page}
          to={dropPath}
          label={words.drop}
          about={name}
          ids={[item.id]}
          confirm={words.dropConfirm("1")}
        />
      </div>
    </li>
  );
}
