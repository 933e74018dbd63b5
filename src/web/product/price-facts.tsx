import type { ProductRecord } from "../../catalog/products.ts";
import { toUnitPrice, type UnitPrice as Amount } from "../../catalog/unit-price/unit-price.ts";
import type { Page } from "../shared/page/page.ts";

/** What the price is for a unit, and what is known of the shop's regular price. */
export function PriceFacts({ page, record }: { page: Page; record: ProductRecord }) {
  const { m, money } = page;
  const { reduction, properPrice } = record;
  const unitPrice = toUnitPrice(record);
  return (
    <>
      {unitPrice && (
        <p>
          <UnitPrice page={page} unitPrice={unitPrice} look="quiet" />
        </p>
      )}
      {reduction && properPrice !== null && (
        <p class="quiet">
          {reduction.holds === true
            ? m.product.reductionHolds(money(reduction.low30d ?? properPrice))
            : reduction.holds === false && reduction.low30d !== null
              ? m.product.reductionFails(money(properPrice), money(reduction.low30d))
              : m.product.reductionUnknown(money(properPrice))}
        </p>
      )}
    </>
  );
}

/** What the price is for a unit; nothing where that is not known. */
export function UnitPrice(props: { page: Page; unitPrice: Amount | null; look: "quiet" | "fine" }) {
  const { page, unitPrice, look } = props;
  const { m, money } = page;
  if (unitPrice === null) return null;
  return (
    <span class={look}>
      {m.product.unitPrice(money(unitPrice.amount), m.product.units[unitPrice.per])}
    </span>
  );
}
