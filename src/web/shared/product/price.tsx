import type { ProductRecord } from "../../../catalog/products.ts";
import { discountPercent } from "../../../search/index/document.ts";
import type { Messages } from "../messages/messages.ts";
import type { Page } from "../page/page.ts";

interface PriceProps {
  page: Page;
  price: number;
  /** The higher price that it is compared with, which is the shop's regular one unless `before` says another name. */
  properPrice: number | null;
  before?: string;
}
export function Price({ page, price, properPrice, before }: PriceProps) {
  const { m, money } = page;
  if (price <= 0) return <span class="price none">{m.product.noPrice}</span>;
  const percent = discountPercent(price, properPrice);
  const isReduced = properPrice !== null && properPrice > price;
  return (
    <span class="prices">
      <span class={isReduced ? "price reduced" : "price"}>{money(price)}</span>
      {isReduced && (
        <s class="regular">
          <span class="hidden">{before ?? m.product.regularPrice} </span>
          {money(properPrice)}
        </s>
      )}
      {percent > 0 && <span class="tag sale">{m.product.percentOff(percent)}</span>}
    </span>
  );
}

/** The price. It is shown as reduced only if it was really higher in the 30 days before. */
export function ProvenPrice({ page, record }: { page: Page; record: ProductRecord }) {
  const holds = record.reduction?.holds === true;
  return <Price page={page} price={record.price} properPrice={holds ? record.properPrice : null} />;
}

const fewItems = 3;
const manyItems = 100;

export function Stock({ stock, m }: { stock: number; m: Messages }) {
  if (stock <= 0) return <span class="tag">{m.product.outOfStock}</span>;
  if (stock >= manyItems) return <span class="tag good">{m.product.inStock}</span>;
  const text = stock <= fewItems ? m.product.lastItems(stock) : m.product.itemsLeft(stock);
  return <span class={stock <= fewItems ? "tag warn" : "tag good"}>{text}</span>;
}
