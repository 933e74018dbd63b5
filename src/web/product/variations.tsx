import type { VariationRow } from "../../db/schema.ts";
import { beginning } from "../shared/format.ts";
import type { Page } from "../shared/page/page.ts";
import { Stock } from "../shared/product/price.tsx";
import { WideTable } from "../shared/table.tsx";
import { ShopText } from "../shared/text-language.tsx";

const shownAtMost = 200;

export function Variations(props: { page: Page; variations: readonly VariationRow[] }) {
  const { page, variations } = props;
  const { m } = page;
  if (variations.length === 0) return null;
  return (
    <section class="card part" aria-labelledby="variations">
      <h2 id="variations">{m.product.variations}</h2>
      <WideTable
        label={m.product.variations}
        rows={variations.slice(0, shownAtMost)}
        columns={[
          {
            name: m.product.variation,
            cell: ({ variation }) => <ShopText page={page} text={variation} most={120} />,
          },
          {
            name: m.product.variationStock,
            cell: (one) => <Stock stock={one.variation_stock} m={m} />,
          },
          {
            name: m.product.barcode,
            cell: ({ barcode }) => (barcode ? beginning(barcode, 40) : "–"),
          },
        ]}
      />
      {variations.length > shownAtMost && <p class="fine">{m.product.firstOnly(shownAtMost)}</p>}
    </section>
  );
}
