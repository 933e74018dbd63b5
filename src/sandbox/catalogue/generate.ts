import { must } from "../../lib/must.ts";
import { imageKey, imageSizes, imageSlots, type WireImages } from "../../storefront/wire.ts";
import type { SandboxItem, SandboxVariation } from "./item.ts";
import { createRandom, type Random } from "../../lib/random.ts";
import { createMemoryJournal, createIds, type Ids } from "../state/journal.ts";
import {
  colours,
  departments,
  descriptions,
  landmarks,
  materials,
  places,
  sentences,
  shopFirst,
  shopSecond,
  sizeNames,
} from "./words.ts";

type Department = (typeof departments)[number];

interface Shop {
  id: string;
  name: string;
  departments: Department[];
}

/** Products of a maker that many shops sell: the same codes, different prices. */
interface MakerGoods {
  department: Department;
  title: string;
  yen: number;
  barcodes: string[];
}

interface GeneratorOptions {
  ids?: Ids;
  /** Shops that exist already and may get products. */
  shops?: Iterable<{ shop_id: string; shop_name: string }>;
}

/** Every product has one of these as a category. */
export const generatedKeywords: string[] = departments.map((department) => department.category);

/** A fixed instant, so that the same seed always gives the same catalogue. */
const newestModified = Date.UTC(2025, 5, 1) / 1000;
const daySeconds = 86_400;
const shopTail = 1.15;
const newShopShare = 0.02;
/** The resizing batch of the upstream has not reached products newer than this. */
const resizedAfterSeconds = 3 * daySeconds;

export type Generator = ReturnType<typeof createGenerator>;

/**
 * Generates a catalogue of small shops with heavy-tailed sizes, mostly Japanese. The same seed gives
 * the same catalogue.
 */
export function createGenerator(seed: number, options: GeneratorOptions = {}) {
  const random = createRandom(seed);
  const ids = options.ids ?? createIds(createMemoryJournal());
  let shops: Shop[] = [];
  const goods: MakerGoods[] = [];
  for (const { shop_id, shop_name } of options.shops ?? []) {
    shops.push({ id: shop_id, name: shop_name, departments: [random.pick(departments)] });
  }

  function openShop(): Shop {
    const shop = {
      id: `shop-${ids.next("shop")}`,
      name: `${random.pick(shopFirst)}${random.pick(shopSecond)}${random.chance(0.3) ? ` ${random.pick(["２号店", "ONLINE", "別館", "ｷﾞｬﾗﾘｰ"])}` : ""}`,
      departments: Array.from({ length: random.integer(1, 3) }, () => random.pick(departments)),
    };
    shops.push(shop);
    return shop;
  }

  function makeGoods(): MakerGoods {
    const department = random.pick(departments);
    return {
      department,
      title: `${random.pick(shopFirst)}${random.pick(department.nouns)} ${random.integer(1, 99)}号`,
      yen: priceAround(random, department.yen),
      barcodes: Array.from({ length: random.integer(1, 3) }, () => toJan13(random)),
    };
  }

  function toItem(shop: Shop, modified: number): SandboxItem {
    const itemId = ids.next("item", random.integer(1, 9));
    const department = random.pick(shop.departments);
    const shared = goods.length > 0 && random.chance(0.12) ? random.pick(goods) : null;
    const yen = shared ? shared.yen * (0.8 + 0.4 * random.next()) : department.yen;
    const price = priceAround(random, yen, shared ? 0.05 : 0.6);
    const variations = shared || random.chance(0.2) ? toVariations(shared) : [];
    return {
      item_id: itemId,
      title: shared ? shared.title : inventTitle(random, department),
      detail: inventDetail(random),
      price,
      proper_price: random.chance(0.15)
        ? Math.ceil((price * (1.1 + random.next())) / 10) * 10
        : null,
      stock: variations.length > 0 ? sumStock(variations) : stockOf(random),
      visible: random.chance(0.02) ? 0 : 1,
      list_order: random.integer(1, 500),
      identifier: random.chance(0.25) ? `K-${random.integer(1000, 99_999)}` : null,
      modified,
      variations,
      shop_id: shop.id,
      shop_name: shop.name,
      shop_url: `https://${shop.id}.example.com/`,
      categories: categoriesOf(random, shared?.department ?? department),
      order_count: Math.min(100_000, Math.floor(random.pareto(0.8)) - 1),
      images: toImageUrls(random, itemId, modified),
    };
  }

  function toVariations(shared: MakerGoods | null): SandboxVariation[] {
    const count = shared ? shared.barcodes.length : random.integer(1, 5);
    return Array.from({ length: count }, (_, i) => ({
      variation_id: ids.next("variation", random.integer(1, 3)),
      variation: random.chance(0.6)
        ? `色: ${random.pick(colours)}`
        : `サイズ：${random.pick(sizeNames)}`,
      variation_stock: stockOf(random),
      variation_identifier: random.chance(0.3) ? `V${random.integer(1, 999)}` : null,
      barcode: shared?.barcodes[i] ?? (random.chance(0.5) ? toJan13(random) : null),
    }));
  }

  return {
    /** A whole catalogue of `products` products, in id order. */
    catalog(products: number): SandboxItem[] {
      for (let i = 0; i < products / 25; i += 1) goods.push(makeGoods());
      const items: SandboxItem[] = [];
      while (items.length < products) {
        const shop = openShop();
        const size = Math.min(Math.ceil(random.pareto(shopTail)), Math.ceil(products / 12));
        for (let i = 0; i < size && items.length < products; i += 1) {
          items.push(toItem(shop, newestModified - ageSeconds(random)));
        }
      }
      return items.map((item, i) => asLandmark(item, i, products));
    },
    /** One more product, of an existing shop or sometimes of a new one. */
    another(modified: number): SandboxItem {
      const shop =
        shops.length === 0 || random.chance(newShopShare) ? openShop() : random.pick(shops);
      return toItem(shop, modified);
    },
    /** A closed shop gets no more products. */
    forgetShop(shopId: string): void {
      shops = shops.filter((shop) => shop.id !== shopId);
    },
  };
}

/** Spreads the landmarks over the shops. A catalogue of some dozens of products has all of them. */
function asLandmark(item: SandboxItem, index: number, products: number): SandboxItem {
  const gap = Math.max(1, Math.floor(products / landmarks.length));
  const landmark = index % gap === 0 ? landmarks[index / gap] : undefined;
  if (!landmark) return item;
  return {
    ...item,
    title: landmark.title,
    detail: must(sentences[index % sentences.length], "a sentence"),
    price: landmark.yen,
    proper_price: null,
    visible: 1,
    variations: [],
    categories: [landmark.category],
  };
}

function inventTitle(random: Random, department: Department): string {
  const place = random.chance(0.08) ? `${random.pick(places)}の` : "";
  const suffix = random.chance(0.4) ? ` ${random.pick(colours)}` : "";
  const count = random.chance(0.1) ? `（${random.integer(2, 6)}個セット）` : "";
  const noun = random.pick(department.nouns);
  return `${place}${random.pick(descriptions)}${random.pick(materials)}${noun}${suffix}${count}`;
}

function inventDetail(random: Random): string {
  return Array.from({ length: random.integer(1, 6) }, () => random.pick(sentences)).join("\n");
}

function categoriesOf(random: Random, department: Department): string[] {
  const second = random.chance(0.25) ? [random.pick(departments).category] : [];
  return [...new Set<string>([department.category, ...second])];
}

/** Log-uniform around `yen`, in tens. */
function priceAround(random: Random, yen: number, spread = 0.6): number {
  const factor = Math.exp((random.next() * 2 - 1) * spread);
  return Math.max(50, Math.round((yen * factor) / 10) * 10);
}

function stockOf(random: Random): number {
  return random.chance(0.12) ? 0 : Math.min(999, Math.floor(random.pareto(0.9)));
}

export function sumStock(variations: readonly SandboxVariation[]): number {
  return variations.reduce((sum, v) => sum + v.variation_stock, 0);
}

/** Some products are hours old, many are years old. */
function ageSeconds(random: Random): number {
  return Math.floor(Math.min(1500, random.pareto(0.35) - 1) * 0.1 * daySeconds);
}

/** `withOwnPictures` puts a drawing of the sandbox in its place. */
export function pictureOf(itemId: number, slot: number, size: string): string {
  return `https://img.example.com/${itemId}/${slot}/${size}.jpg`;
}

function toImageUrls(random: Random, itemId: number, modified: number): WireImages {
  const images: WireImages = {};
  const used = random.chance(0.03) ? 0 : Math.min(5, Math.floor(random.pareto(1.2)));
  const isResized = newestModified - modified > resizedAfterSeconds;
  for (const slot of imageSlots.slice(0, used)) {
    for (const size of imageSizes) {
      if (size !== "origin" && (!isResized || random.chance(0.02))) continue;
      images[imageKey(slot, size)] = pictureOf(itemId, slot, size);
    }
  }
  return images;
}

/** A code of the ranges given to Japan (45 and 49), with its check digit. */
function toJan13(random: Random): string {
  const body = `${random.pick(["45", "49"])}${String(random.integer(0, 9_999_999_999)).padStart(10, "0")}`;
  return `${body}${janCheckDigit(body)}`;
}

/** GS1 General Specifications, section 7.9: weights 1 and 3 from the left of the first 12 digits. */
export function janCheckDigit(body: string): number {
  const sum = Array.from(body).reduce(
    (total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3),
    0,
  );
  return (10 - (sum % 10)) % 10;
}
