import { ownSource } from "../../catalog/clicks.ts";
import type { Page } from "../shared/page.ts";

interface ToShopProps {
  page: Page;
  itemId: number;
  /** Classes of the link. */
  look?: string;
  /** For screen readers, where the page has several of these links. */
  about?: string;
}

/** Leads to the product in its shop, by the address that counts clicks. */
export function ToShop({ page, itemId, look, about }: ToShopProps) {
  const { buy } = page.m.product;
  return (
    <a
      class={look}
      href={`/go/${itemId}?src=${ownSource}`}
      rel="noopener nofollow sponsored"
      target="_blank"
      {...(about === undefined ? {} : { "aria-label": `${buy}: ${about}` })}
    >
      {buy}
      <span aria-hidden="true"> ↗</span>
    </a>
  );
}
