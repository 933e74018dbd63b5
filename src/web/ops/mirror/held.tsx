import { WideTable } from "../../shared/table.tsx";
import { readHeldPage } from "../../../api/ops/deletions.ts";
import type { HeldDeletion, HeldShop } from "../../../catalog/observing/held-deletions.ts";
import type { Db } from "../../../db/open.ts";
import { toAddress, type Query } from "../shared/filters.tsx";
import { Action, Card, FormToken, RowsAction, tabPaths } from "../shared/frame.tsx";
import { mayOperate, type OpsPage } from "../shared/ops-page.ts";
import { ProductLink } from "../shared/cells.tsx";

const itemsShown = 50;
const shopsNamed = 10;
const discardPath = "/ops/deletions/discard";
const releasePath = "/ops/deletions/release";

type HeldPage = Awaited<ReturnType<typeof readHeldCard>>;

/** A page of them after an id (0: the first one), of one shop if it is named. */
export async function readHeldCard(
  db: Db,
  page: { now: Date; after: number; shopId: string | undefined },
) {
  return { ...(await readHeldPage(db, { ...page, shopsNamed, limit: itemsShown })), ...page };
}

interface HeldProps {
  page: OpsPage;
  /** All parameters of the page. */
  query: Query;
  content: HeldPage;
}

/** The deletions that wait for a decision: all together, by shop, and one by one. */
export function HeldCard(props: HeldProps) {
  const { page, query, content } = props;
  const { o, f } = page;
  const { held, guard } = content;
  const doubt = guard.isDoubted && (
    <p class="notice warn">{o.held.doubted(f.number(guard.refuted))}</p>
  );
  if (held === 0 && guard.trippedAt === null) {
    return (
      <Card id="held" title={o.held.title} live>
        {doubt}
        <p class="quiet">{o.held.none}</p>
      </Card>
    );
  }
  return (
    // Not updated live, because ticked boxes must stay ticked.
    <Card id="held" title={o.held.title}>
      {doubt}
      <p class="notice warn">{o.held.lead(f.number(held))}</p>
      {guard.trippedAt !== null && (
        <p class="quiet">{o.held.guard(f.ago(guard.trippedAt), f.number(guard.deleted))}</p>
      )}
      <div class="buttons">
        <Action page={page} to={discardPath} label={o.held.discardAll}>
          <Seen page={page} />
        </Action>
        <Action
          page={page}
          to={releasePath}
          label={o.held.releaseAll}
          confirm={o.held.releaseConfirm(f.number(held))}
        >
          <Seen page={page} />
        </Action>
      </div>
      {held > 0 && <Shops page={page} query={query} shops={content.shops} />}
      {held > 0 && <Items {...props} />}
      <PageDecision page={page} items={content.items} />
    </Card>
  );
}

/** What is held later, the decision is not about. */
function Seen({ page }: { page: OpsPage }) {
  return <input type="hidden" name="seen" value={String(page.now.getTime())} />;
}

/** Its address with another part of this list. */
function toHeld(query: Query, part: { held_shop: string | undefined; after?: number }): string {
  return `${toAddress(tabPaths.mirror, { ...query, after: undefined, ...part })}#held-heading`;
}

function Shops(props: { page: OpsPage; query: Query; shops: readonly HeldShop[] }) {
  const { page, query, shops } = props;
  const { o, f, m } = page;
  const shopField = (shop: HeldShop) => (
    <>
      <Seen page={page} />
      <input type="hidden" name="shop_id" value={shop.shopId} />
    </>
  );
  return (
    <>
      <h3>{o.held.shops}</h3>
      <WideTable
        label={o.held.shops}
        rows={shops}
        columns={({ head, column, numbers }) => [
          head(m.product.shop, ({ shopId, shopName }) => (
            <a href={toHeld(query, { held_shop: shopId })}>
              <bdi>{shopName}</bdi>
            </a>
          )),
          numbers(o.held.count, (shop) => f.number(shop.held)),
          column(o.held.decision, (shop) => (
            <div class="buttons">
              <Action page={page} to={discardPath} label={o.held.discard} about={shop.shopName}>
                {shopField(shop)}
              </Action>
              <Action
                page={page}
                to={releasePath}
                label={o.held.release}
                about={shop.shopName}
                confirm={o.held.releaseConfirm(f.number(shop.held))}
              >
                {shopField(shop)}
              </Action>
            </div>
          )),
        ]}
      />
    </>
  );
}

/** For all products that the page shows, without ticking each. */
function PageDecision({ page, items }: { page: OpsPage; items: readonly HeldDeletion[] }) {
  const { o, f } = page;
  const ids = items.map(({ itemId }) => itemId);
  const rows = { page, ids, name: "item_id" };
  return (
    <div class="buttons">
      <RowsAction {...rows} to={discardPath} label={o.filters.discardPage} />
      <RowsAction
        {...rows}
        to={releasePath}
        label={o.filters.releasePage}
        confirm={o.held.releaseConfirm(f.number(ids.length))}
      />
    </div>
  );
}

function Items({ page, query, content }: HeldProps) {
  const { o, f, m } = page;
  const { items, after, shopId, next } = content;
  return (
    <form method="post" action={discardPath}>
      <FormToken page={page} />
      <h3>{o.held.products}</h3>
      <WideTable
        label={o.held.products}
        empty={o.held.noMore}
        rows={items}
        columns={({ head, column, numbers, times }) => [
          column(o.held.chosen, ({ itemId, title }) => (
            <input
              type="checkbox"
              name="item_id"
              value={String(itemId)}
              aria-label={`${o.held.choose}: ${title}`}
            />
          )),
          head(m.product.product, ProductLink),
          column(m.product.shop, ({ shopName }) => <bdi>{shopName}</bdi>),
          numbers(o.held.call, ({ callId }) => String(callId)),
          times(o.held.provenAt, (one) => f.ago(one.provenAt)),
          times(o.held.heldAt, (one) => f.ago(one.heldAt)),
          times(o.held.seenAt, (one) => f.ago(one.seenAt)),
        ]}
      />
      <div class="buttons">
        {mayOperate(page) && (
          <>
            <button class="plain small" name="chosen" value="true">
              {o.held.discardChosen}
            </button>
            <button class="danger small" name="chosen" value="true" formaction={releasePath}>
              {o.held.releaseChosen}
            </button>
          </>
        )}
        {(after > 0 || shopId !== undefined) && (
          <a href={toHeld(query, { held_shop: undefined })}>{o.held.first}</a>
        )}
        {next !== null && (
          <a href={toHeld(query, { held_shop: shopId, after: next })}>{o.filters.next}</a>
        )}
      </div>
    </form>
  );
}
