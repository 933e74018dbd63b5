import type { MappedProduct } from "../../catalog/product-ranges.ts";

/** Pages that nobody should find by a search engine: they are for programs, for ops or of one visitor. */
const closed = [
  "/ops",
  "/v1/",
  "/meili/",
  "/go/",
  "/alerts",
  "/compare",
  "/feeds/",
  "/suggest",
  "/filter-values/",
];

export function toRobots(origin: string): string {
  const rules = closed.map((path) => `Disallow: ${path}`);
  return ["User-agent: *", ...rules, "", `Sitemap: ${origin}/sitemap.xml`, ""].join("\n");
}

const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const declaration = '<?xml version="1.0" encoding="UTF-8"?>';

/** The index of https://www.sitemaps.org/protocol.html: a map of the site's own pages, and one per range of products. */
export function toSiteMapIndex(origin: string, ranges: readonly number[]): string {
  const maps = ["pages", ...ranges.map(String)].map(
    (name) => `<sitemap><loc>${origin}/sitemaps/${name}.xml</loc></sitemap>`,
  );
  return `${declaration}\n<sitemapindex ${namespace}>\n${maps.join("\n")}\n</sitemapindex>\n`;
}

export function toProductMap(origin: string, products: readonly MappedProduct[]): string {
  return toMap(
    products.map(
      ({ itemId, changedAt }) =>
        `<url><loc>${origin}/products/${itemId}</loc><lastmod>${changedAt.toISOString().slice(0, 10)}</lastmod></url>`,
    ),
  );
}

/** Paths may have any characters; they are written as `URLSearchParams` writes them. */
export function toPageMap(origin: string, paths: readonly string[]): string {
  return toMap(
    paths.map((path) => `<url><loc>${origin}${path.replaceAll("&", "&amp;")}</loc></url>`),
  );
}

const toMap = (urls: readonly string[]) =>
  `${declaration}\n<urlset ${namespace}>\n${urls.join("\n")}\n</urlset>\n`;
