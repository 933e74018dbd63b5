import type { clicksJa } from "./clicks-ja.ts";

export const clicksEn: typeof clicksJa = {
  title: "Clicks to shops",
  lead: "How often visitors went on from a product to its shop, without programs and without what one visitor clicks too often.",
  empty: "No click yet.",
  days: "By day",
  day: "Day",
  clicks: "Clicks",
  products: "Most clicked products in 7 days",
  product: "Product",
  shop: "Shop",
  sources: "Where they were clicked in 7 days",
  source: "Label (src)",
  key: "API key",
  none: "none",
};
