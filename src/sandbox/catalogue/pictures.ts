import { Hono } from "hono";
import { imageSizes, imageSlots } from "../../storefront/wire.ts";
import type { Catalog } from "./catalog.ts";
import type { SandboxItem } from "./item.ts";

const path = "/pictures/";
/** Width and height in pixels of the sizes of section 2.1; an original is as large as its shop likes. */
const pixels: Record<string, number> = {
  origin: 800,
  "76": 76,
  "146": 146,
  "300": 300,
  "500": 500,
};

const generated = /^https:\/\/img\.example\.com\/(\d+\/\d\/\w+)\.jpg$/;

/** Products have the pictures of `pictureOf` at this sandbox, whatever its address is. */
export function withOwnPictures(
  body: Record<string, unknown>,
  origin: string,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const picture = typeof value === "string" ? generated.exec(value)?.[1] : undefined;
      return [name, picture === undefined ? value : `${origin}${path}${picture}.svg`];
    }),
  );
}

/** `GET /pictures/{item_id}/{slot}/{size}.svg`: a drawing of the product. */
export function createPictureRoutes(catalog: Catalog): Hono {
  return new Hono().get(`${path}:item/:slot/:file`, (c) => {
    const size = c.req.param("file").replace(/\.svg$/, "");
    const slot = Number(c.req.param("slot"));
    const item = catalog.get(Number(c.req.param("item")));
    const isKnown =
      (imageSizes as readonly string[]).includes(size) &&
      (imageSlots as readonly number[]).includes(slot);
    if (!item || !isKnown) return c.notFound();
    return c.body(drawPicture(item, slot, pixels[size] ?? 640), 200, {
      "Content-Type": "image/svg+xml",
      "Cache-Control": "public, max-age=86400",
      "Cross-Origin-Resource-Policy": "cross-origin",
    });
  });
}

/** Shapes in a square of 100, by category; `F` is filled with the colour of the product. */
const shapes: Record<string, string> = {
  財布: '<rect x="20" y="34" width="60" height="38" rx="5" F/><path d="M20 46h60" L/><rect x="62" y="48" width="18" height="12" rx="4" F L/><circle cx="69" cy="54" r="2" fill="#fff8"/>',
  バッグ:
    '<path d="M36 42c0-22 28-22 28 0" L/><path d="M24 42h52l6 40H18z" F/><path d="M24 52h52" L/>',
  アクセサリー:
    '<circle cx="50" cy="58" r="21" L stroke-width="6"/><path d="m50 20 12 12-12 13-12-13z" F/>',
  陶器: '<path d="M26 36h44v26a16 16 0 0 1-16 16H42a16 16 0 0 1-16-16z" F/><path d="M70 42h6a9 9 0 0 1 0 18h-6" L stroke-width="5"/>',
  雑貨: '<rect x="26" y="30" width="48" height="46" rx="4" F/><path d="M50 30v46M26 46h48" L/><path d="M50 30c-20-16-20 4 0 0 20-16 20 4 0 0" L/>',
  ファッション: '<path d="m36 24-20 14 8 14 8-5v33h36V47l8 5 8-14-20-14c-4 8-24 8-28 0z" F/>',
  "マフラー・帽子":
    '<path d="M24 62c0-44 52-44 52 0z" F/><rect x="20" y="60" width="60" height="14" rx="7" F L/><circle cx="50" cy="24" r="7" F/>',
  家具: '<path d="M32 18v64M68 44v38M32 50h36" L stroke-width="5"/><rect x="30" y="20" width="8" height="30" rx="3" F/><rect x="30" y="46" width="42" height="10" rx="3" F/>',
  食品: '<rect x="32" y="34" width="36" height="46" rx="8" F/><rect x="34" y="22" width="32" height="12" rx="3" L/><rect x="36" y="48" width="28" height="18" rx="2" fill="#fffa"/>',
  お菓子:
    '<circle cx="50" cy="52" r="28" F/><circle cx="40" cy="44" r="4" fill="#0004"/><circle cx="60" cy="48" r="4" fill="#0004"/><circle cx="48" cy="64" r="4" fill="#0004"/>',
  "お茶・コーヒー":
    '<path d="M26 44h42v18a16 16 0 0 1-16 16H42a16 16 0 0 1-16-16z" F/><path d="M68 48h6a8 8 0 0 1 0 16h-6" L stroke-width="4"/><path d="M38 36c-4-6 4-8 0-14M52 36c-4-6 4-8 0-14" L/>',
  スマホケース:
    '<rect x="33" y="16" width="34" height="68" rx="8" F/><rect x="38" y="22" width="12" height="18" rx="5" fill="#0003"/>',
  文房具:
    '<path d="m30 74 4-16 34-34 12 12-34 34z" F/><path d="m60 32 12 12" L/><path d="m30 74 4-16 12 12z" fill="#fffa"/>',
  アート:
    '<rect x="20" y="22" width="60" height="56" L stroke-width="5"/><path d="m26 72 16-24 12 16 8-9 12 17z" F/><circle cx="64" cy="38" r="6" F/>',
};
const parcel =
  '<path d="m50 20 30 14v34L50 82 20 68V34z" F/><path d="m20 34 30 14 30-14M50 48v34" L/>';

const tints: readonly (readonly [word: RegExp, colour: string])[] = [
  [/赤|red/i, "#b8433a"],
  [/青|紺|blue|navy/i, "#3f628f"],
  [/緑|green/i, "#4f7d56"],
  [/黒|black/i, "#3b3d42"],
  [/白|生成|white/i, "#d9d3c4"],
  [/茶|キャメル|brown/i, "#8a5f3d"],
  [/黄|yellow/i, "#d1a63b"],
  [/ピンク|pink/i, "#cf8195"],
];
const someTints = ["#8f6f52", "#55746c", "#a0644c", "#6a6f94", "#93834f", "#7f5a72", "#5f7a91"];
const grounds = ["#f3ede2", "#e8eee9", "#efe7e9", "#e7ebf1", "#f1efe0"];

/** The same for the same product: its category's shape in its colour, each slot seen a little differently. */
export function drawPicture(item: SandboxItem, slot: number, size: number): string {
  const name = item.categories.find((category) => category in shapes) ?? "";
  const colour =
    tints.find(([word]) => word.test(item.title))?.[1] ??
    someTints[item.item_id % someTints.length] ??
    "";
  const ground = grounds[Math.floor(item.item_id / 7 + slot) % grounds.length] ?? "";
  const shape = (shapes[name] ?? parcel)
    .replaceAll(" F", ` fill="${colour}"`)
    .replaceAll(" L stroke-width", ' fill="none" stroke="#0005" stroke-width')
    .replaceAll(" L", ' fill="none" stroke="#0005" stroke-width="2.5"')
    .replaceAll(`fill="${colour}" fill="none"`, `fill="${colour}"`);
  const turn = (slot - 1) * 9 + (item.item_id % 5) - 2;
  const zoom = slot === 1 ? 1 : 0.85 + 0.15 * ((item.item_id + slot) % 4);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="${size}" height="${size}">
<rect width="100" height="100" fill="${ground}"/><ellipse cx="50" cy="84" rx="30" ry="4" fill="#0001"/>
<g transform="rotate(${turn} 50 50) translate(50 50) scale(${zoom}) translate(-50 -50)" stroke-linejoin="round" stroke-linecap="round">${shape}</g></svg>
`;
}
