import { ownSource } from "../../catalog/visitors/clicks.ts";
import type { Page } from "../shared/page/page.ts";
import { messages } from "../shared/messages/messages.ts";
import type { Lows } from "../../catalog/history/lows.ts";
import type { ProductRecord } from "../../catalog/products.ts";
import { beginning } from "../shared/format.ts";
import { TellMe } from "../shared/product/tell-me.tsx";

interface ToShopProps {
  page: Page;
  itemId: number;
  /** Sold out: there is nothing to buy now. */
  isSoldOut: boolean;
  /** Classes of the link. */
  look?: string;
  /** For screen readers, where the page has several of these links. */
  about?: string;
}

/** Leads to the product in its shop, by the address that counts clicks. */
export function ToShop({ page, itemId, isSoldOut, look, about }: ToShopProps) {
  const { buy, see } = page.m.product;
  const label = isSoldOut ? see : buy;
  return (
    <a
      class={look}
      href={`/go/${itemId}?src=${ownSource}`}
      rel="noopener nofollow sponsored"
      target="_blank"
      {...(about === undefined ? {} : { "aria-label": `${label}: ${about}` })}
    >
      {label}
      <span aria-hidden="true"> ↗</span>
    </a>
  );
}

/** What became of a request to check the product. */
export type CheckOutcome = keyof Page["m"]["product"]["outcomes"];

const outcomes = Object.keys(messages.ja.product.outcomes) as CheckOutcome[];

export function toCheckOutcome(text: string | undefined): CheckOutcome | null {
  return outcomes.find((outcome) => outcome === text) ?? null;
}

/** A form, so that it works without a script. It spends a call of the on-demand quota. */
export function CheckNow({ page, itemId }: { page: Page; itemId: number }) {
  const { m } = page;
  return (
    <form
      class="check"
      method="post"
      action={`/products/${itemId}/check`}
      data-busy={m.product.checking}
    >
      <button type="submit" class="plain" aria-describedby="check-note">
        {m.product.checkNow}
      </button>
      <p class="fine" id="check-note">
        {m.product.checkNote}
      </p>
    </form>
  );
}

export function CheckNotice({ page, outcome }: { page: Page; outcome: CheckOutcome }) {
  const isGood = outcome === "fresh" || outcome === "queued";
  return (
    <p class={isGood ? "notice" : "notice warn"} role="status" id="check" tabindex={-1}>
      {page.m.product.outcomes[outcome]}
    </p>
  );
}

/** A target nine tenths of the price, or just under the lowest known price if that is lower. */
function suggestTarget(price: number, lows: Lows): number | null {
  if (price <= 0) return null;
  const tenthOff = Math.floor((price * 0.9) / 10) * 10;
  const low = lows.all?.price ?? price;
  return Math.max(1, low < tenthOff ? low : tenthOff);
}

/** Alerts about one product, with its lows as help for the target price. */
export function TellMeProduct(props: { page: Page; record: ProductRecord; lows: Lows }) {
  const { page, record, lows } = props;
  const { m, money } = page;
  const low = lows.all;
  return (
    <TellMe
      page={page}
      watched={[["item_id", String(record.itemId)]]}
      name={beginning(record.title, 100)}
      chosen={[record.stock > 0 ? "price_below" : "back_in_stock"]}
      price={suggestTarget(record.price, lows)}
      priceHelp={low && <span class="fine">{m.alerts.lowHelp(money(low.price))}</span>}
    />
  );
}
