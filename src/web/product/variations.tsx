import type { VariationRow } from "../../db/schema.ts";
import { beginning } from "../shared/format.ts";
import type { Page } from "../shared/page.ts";
import { Stock } from "../shared/price.tsx";
import { ofShop } from "../shared/text-language.ts";

const shownAtMost = 200;

export function Variations(props: { page: Page; variations: readonly VariationRow[] }) {
  const { m } = props.page;
  if (props.variations.length === 0) return null;
  return (
    <section class="card part" aria-labelledby="variations">
      <h2 id="variations">{m.product.variations}</h2>
      <div class="wide" tabindex={0} role="group" aria-labelledby="variations">
        <table>
          <thead>
            <tr>
              <th scope="col">{m.product.variation}</th>
              <th scope="col">{m.product.variationStock}</th>
              <th scope="col">{m.product.barcode}</th>
            </tr>
          </thead>
          <tbody>
            {props.variations.slice(0, shownAtMost).map((variation) => (
              <tr>
                <td {...ofShop(variation.variation, props.page)}>
                  {beginning(variation.variation, 120)}
                </td>
                <td>
                  <Stock stock={variation.variation_stock} m={m} />
                </td>
                <td>{variation.barcode ? beginning(variation.barcode, 40) : "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {props.variations.length > shownAtMost && (
        <p class="fine">{m.product.firstOnly(shownAtMost)}</p>
      )}
    </section>
  );
}
