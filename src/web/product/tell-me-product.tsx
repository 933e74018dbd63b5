import type { Lows } from "../../catalog/history/lows.ts";
import type { ProductRecord } from "../../catalog/products.ts";
import { beginning } from "../shared/format.ts";
import type { Page } from "../shared/page/page.ts";
import { RuleChoice, TargetPrice, TellMe } from "../shared/product/tell-me.tsx";

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
  const isSoldOut = record.stock <= 0;
  const low = lows.all;
  return (
    <TellMe
      page={page}
      watched={[["item_id", String(record.itemId)]]}
      name={beginning(record.title, 100)}
    >
      <RuleChoice kind="price_below" label={m.alerts.kinds.price_below} isChosen={!isSoldOut}>
        <TargetPrice page={page} price={suggestTarget(record.price, lows)} />
        {low && <span class="fine">{m.alerts.lowHelp(money(low.price))}</span>}
      </RuleChoice>
      <RuleChoice kind="price_drop" label={m.alerts.kinds.price_drop} />
      <RuleChoice kind="new_low" label={m.alerts.kinds.new_low} />
      <RuleChoice kind="back_in_stock" label={m.alerts.kinds.back_in_stock} isChosen={isSoldOut} />
      <RuleChoice kind="gone" label={m.alerts.kinds.gone} />
    </TellMe>
  );
}
