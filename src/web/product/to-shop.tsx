import { ownSource } from "../../catalog/visitors/clicks.ts";
import type { Page } from "../shared/page/page.ts";

interface ToShopProps {
  page: Page;
  itemId: number;
  /** Sold out: there is nothing to buy now. */
  isSoldOut: boolean;
  /** Classes of the link. */
  look?: string;
  /** For screen readers, where the page has several of these links. */
  about?: string;
}

/** Leads to the product in its shop, by the address that counts clicks. */
export function ToShop({ page, itemId, isSoldOut, look, about }: ToShopProps) {
  const { buy, see } = page.m.product;
  const label = isSoldOut ? see : buy;
  return (
    <a
      class={look}
      href={`/go/${itemId}?src=${ownSource}`}
      rel="noopener nofollow sponsored"
      target="_blank"
      {...(about === undefined ? {} : { "aria-label": `${label}: ${about}` })}
    >
      {label}
      <span aria-hidden="true"> ↗</span>
    </a>
  );
}
