import { must } from "../src/lib/must.ts";
import { createRandom } from "../src/lib/random.ts";
import type { SandboxItem } from "../src/sandbox/item.ts";

/** Outlines in a square of 100 by 100, by a product's first category in the sandbox. */
const outlines: Record<string, string> = {
  財布: "M22 36h56v34H22zM22 46h56M62 54h16v8H62z",
  バッグ: "M26 44h48l6 38H20zM38 44v-8a12 12 0 0 1 24 0v8",
  アクセサリー: "M50 50m-22 8a22 22 0 1 0 44 0a22 22 0 1 0-44 0M42 36l8-14 8 14z",
  陶器: "M28 36h40v26a14 14 0 0 1-14 14H42a14 14 0 0 1-14-14zM68 44h6a8 8 0 0 1 0 16h-6",
  ファッション: "M36 24l-18 12 8 12 8-5v35h32V43l8 5 8-12-18-12a14 9 0 0 1-28 0z",
  "マフラー・帽子": "M24 60a26 26 0 0 1 52 0zM20 60h60v12H20zM50 34v-6",
  家具: "M34 20v36h32V20M30 56h40v8H30zM34 64v20M66 64v20",
  食品: "M36 24h28v8l6 8v38H30V40l6-8zM30 52h40",
  お菓子: "M50 50m-26 0a26 26 0 1 0 52 0a26 26 0 1 0-52 0M42 42h1M58 40h1M50 54h1M40 60h1M61 60h1",
  "お茶・コーヒー":
    "M26 44h40v14a16 16 0 0 1-16 16h-8a16 16 0 0 1-16-16zM66 48h6a7 7 0 0 1 0 14h-7M38 34c-4-6 4-6 0-12M52 34c-4-6 4-6 0-12",
  スマホケース: "M34 18h32v64H34zM42 26h8v8h-8z",
  文房具: "M30 20h40v60H30zM40 20v60M48 36h14M48 46h14",
};
const anything = "M28 30h44v44H28zM28 44h44M50 30v44";

/** A drawing for each of the sandbox's pictures: its products are invented, and so are these. */
export function createPictures(items: readonly SandboxItem[]): (url: string) => string {
  const categories = new Map(items.map((item) => [item.item_id, item.categories[0] ?? ""]));
  return (url) => {
    const [, itemId = "0", slot = "1"] = /\/(\d+)\/(\d)\//.exec(url) ?? [];
    const random = createRandom(Number(itemId));
    const hue = random.integer(0, 359);
    const tilt = (Number(slot) - 1) * 8 + random.integer(-4, 4);
    const outline = outlines[categories.get(Number(itemId)) ?? ""] ?? anything;
    const light = must([92, 88, 84, 90, 86][Number(slot) - 1], "a slot");
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="640" height="640">
<defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="hsl(${hue} 32% ${light}%)"/><stop offset="1" stop-color="hsl(${hue} 30% ${light - 14}%)"/></linearGradient></defs>
<rect width="100" height="100" fill="url(#g)"/><ellipse cx="50" cy="86" rx="30" ry="4" fill="hsl(${hue} 30% 40%)" opacity=".25"/>
<path d="${outline}" transform="rotate(${tilt} 50 50)" fill="hsl(${hue} 38% 52%)" stroke="hsl(${hue} 45% 28%)" stroke-width="2.5" stroke-linejoin="round" stroke-linecap="round"/></svg>`;
  };
}
