import type { ProductRecord } from "../../catalog/products.ts";
import { toUnitPrice } from "../../catalog/unit-price/unit-price.ts";
import type { Page } from "../shared/page.ts";
import { UnitPrice } from "./unit-price.tsx";

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
