import type { ProductOffersBody } from "../../api/products/offer-schema.ts";
import { beginning } from "../shared/format.ts";
import type { Page } from "../shared/page.ts";
import { Price, Stock } from "../shared/price.tsx";
import { ofShop } from "../shared/text-language.ts";

/** Products that may be another one, so that their prices are not compared. */
export function Similar({ page, similar }: { page: Page; similar: ProductOffersBody["similar"] }) {
  const { m } = page;
  if (similar.length === 0) return null;
  return (
    <section class="card part" aria-labelledby="similar">
      <h2 id="similar">{m.product.similar}</h2>
      <p class="quiet">{m.product.similarNote}</p>
      <div class="wide" tabindex={0} role="group" aria-labelledby="similar">
        <table class="offers">
          <thead>
            <tr>
              <th scope="col">{m.product.product}</th>
              <th scope="col">{m.product.price}</th>
              <th scope="col">{m.product.stock}</th>
            </tr>
          </thead>
          <tbody>
            {similar.map((offer) => (
              <tr>
                <th scope="row">
                  <a href={`/products/${offer.item_id}`} {...ofShop(offer.title, page)}>
                    {beginning(offer.title, 80).trim() || m.product.untitled}
                  </a>
                  <span class="fine" {...ofShop(offer.shop.shop_name, page)}>
                    {beginning(offer.shop.shop_name, 60)}
                  </span>
                </th>
                <td>
                  <Price page={page} price={offer.price} properPrice={null} />
                </td>
                <td>
                  <Stock stock={offer.in_stock ? offer.stock : 0} m={m} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
