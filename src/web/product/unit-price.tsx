import type { UnitPrice as Amount } from "../../catalog/unit-price/unit-price.ts";
import type { Page } from "../shared/page.ts";

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
