import type { ProductRecord } from "../../catalog/products.ts";
import { toUnitPrice } from "../../catalog/unit-price.ts";
import { yen } from "../shared/format.ts";
import type { Page } from "../shared/page.ts";
import { Price } from "../shared/price.tsx";

/** The price. It is shown as reduced only if it was really higher in the 30 days before. */
export function ProvenPrice({ page, record }: { page: Page; record: ProductRecord }) {
  const holds = record.reduction?.holds === true;
  return <Price price={record.price} properPrice={holds ? record.properPrice : null} m={page.m} />;
}

/** What the price is for a unit, and what is known of the shop's regular price. */
export function PriceFacts({ page, record }: { page: Page; record: ProductRecord }) {
  const { m } = page;
  const { reduction, properPrice } = record;
  const unitPrice = toUnitPrice(record);
  return (
    <>
      {unitPrice && (
        <p class="quiet">
          {m.product.unitPrice(yen(unitPrice.amount), m.product.units[unitPrice.per])}
        </p>
      )}
      {reduction && properPrice !== null && (
        <p class="quiet">
          {reduction.holds === true
            ? m.product.reductionHolds(yen(reduction.low30d ?? properPrice))
            : reduction.holds === false && reduction.low30d !== null
              ? m.product.reductionFails(yen(properPrice), yen(reduction.low30d))
              : m.product.reductionUnknown(yen(properPrice))}
        </p>
      )}
    </>
  );
}
