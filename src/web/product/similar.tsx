import type { ProductOffersBody } from "../../api/products/offer-schema.ts";
import type { Page } from "../shared/page/page.ts";
import { Price, Stock } from "../shared/product/price.tsx";
import { titleOf } from "../shared/product/product-tile.tsx";
import { WideTable } from "../shared/table.tsx";
import { ofShop, ShopText } from "../shared/text-language.tsx";

/** Products that may be another one, so that their prices are not compared. */
export function Similar({ page, similar }: { page: Page; similar: ProductOffersBody["similar"] }) {
  const { m } = page;
  if (similar.length === 0) return null;
  return (
    <section class="card part" aria-labelledby="similar">
      <h2 id="similar">{m.product.similar}</h2>
      <p class="quiet">{m.product.similarNote}</p>
      <WideTable
        label={m.product.similar}
        class="offers"
        rows={similar}
        columns={[
          {
            name: m.product.product,
            isHead: true,
            cell: (offer) => (
              <>
                <a href={`/products/${offer.item_id}`} {...ofShop(offer.title, page)}>
                  {titleOf(offer, page, 80)}
                </a>
                <ShopText page={page} text={offer.shop.shop_name} class="fine" />
              </>
            ),
          },
          {
            name: m.product.price,
            cell: ({ price }) => <Price page={page} price={price} properPrice={null} />,
          },
          {
            name: m.product.stock,
            cell: (offer) => <Stock stock={offer.in_stock ? offer.stock : 0} m={m} />,
          },
        ]}
      />
    </section>
  );
}
