/** A keyword that a rule proposes. */
export interface Candidate {
  q: string;
  shopId: string | null;
  reason: string;
}

export const proposalRules = ["zero_results", "split", "category", "word", "shop"] as const;
export type ProposalRule = (typeof proposalRules)[number];

/** A sampled product. */
export interface Drawn {
  title: string;
  categories: string[];
  shopId: string;
  shopName: string;
  /** A keyword that finds it. */
  queryId: number | null;
}

export interface Evidence {
  sample: readonly Drawn[];
  /** Users searched for these without results. */
  zeroResults: readonly { q: string; visitors: number }[];
  /** Keywords whose list the upstream cuts off before all results that it counts. */
  ended: readonly { id: number; q: string; endsAt: number; found: number }[];
}

const maxChars = 60;
/** A word in fewer sampled titles may be a typing error, or used by one shop alone. */
const minTitles = 3;

/** The candidates of each rule with their reasons, best first. Pure. */
export function toCandidates({
  sample,
  zeroResults,
  ended,
}: Evidence): Record<ProposalRule, Candidate[]> {
  const of = `of ${sample.length} products drawn`;
  const titles = sample.map((product) => toWords(product.title));
  const all: Record<ProposalRule, Candidate[]> = {
    zero_results: zeroResults.map(({ q, visitors }) => ({
      q,
      shopId: null,
      reason: `searched by ${visitors} visitors without results`,
    })),
    split: ended.flatMap((keyword) => splits(keyword, sample, titles)),
    category: ranked(sample.map((product) => product.categories)).map(([q, n]) => ({
      q,
      shopId: null,
      reason: `category of ${n} ${of}`,
    })),
    word: ranked(titles)
      .filter(([, n]) => n >= minTitles)
      .map(([q, n]) => ({ q, shopId: null, reason: `in the titles of ${n} ${of}` })),
    shop: shopsOf(sample).map(({ shopId, shopName, n }) => ({
      q: shopName,
      shopId,
      reason: `its shop has ${n} ${of}`,
    })),
  };
  const isUsable = ({ q }: Candidate) => q.trim() !== "" && Array.from(q).length <= maxChars;
  for (const rule of proposalRules) all[rule] = all[rule].filter(isUsable);
  return all;
}

/** A list that is cut off is searched in parts: within one shop, or with a second word. */
function splits(
  { id, q, endsAt, found }: Evidence["ended"][number],
  sample: readonly Drawn[],
  titles: readonly string[][],
): Candidate[] {
  const reason = `"${q}" is cut off at ${endsAt} of ${found}`;
  const held = sample.flatMap((product, i) =>
    product.queryId === id || shows(product, q) ? [{ ...product, words: titles[i] ?? [] }] : [],
  );
  const byShop = shopsOf(held).map(({ shopId }) => ({ q, shopId, reason }));
  const byWord = ranked(held.map((product) => product.words))
    .filter(([word, n]) => n >= minTitles && !fold(q).includes(fold(word)))
    .map(([word]) => ({ q: `${q} ${word}`, shopId: null, reason }));
  return [...byShop, ...byWord];
}

const toText = ({ title, shopName, categories }: Drawn) =>
  fold([title, shopName, ...categories].join("\n"));

const includesAll = (text: string, q: string) =>
  fold(q)
    .split(/\s+/)
    .every((word) => text.includes(word));

const shows = (product: Drawn, q: string) => includesAll(toText(product), q);

/** How many of the drawn products each keyword would show, in the order of the keywords. */
export function countShown(
  sample: readonly Drawn[],
  keywords: readonly { q: string; shopId: string | null }[],
): number[] {
  const texts = sample.map((product) => ({ shopId: product.shopId, text: toText(product) }));
  return keywords.map(({ q, shopId }) => {
    const within = shopId === null ? texts : texts.filter((one) => one.shopId === shopId);
    return within.filter((one) => includesAll(one.text, q)).length;
  });
}

function shopsOf(products: readonly Drawn[]): { shopId: string; shopName: string; n: number }[] {
  const shops = new Map<string, { shopId: string; shopName: string; n: number }>();
  for (const { shopId, shopName } of products) {
    const shop = shops.get(shopId);
    if (shop) shop.n += 1;
    else shops.set(shopId, { shopId, shopName, n: 1 });
  }
  return [...shops.values()].toSorted((a, b) => b.n - a.n);
}

/** How many of the lists have each word, most frequent first, in its first spelling. */
function ranked(lists: readonly (readonly string[])[]): [word: string, lists: number][] {
  const counts = new Map<string, [word: string, lists: number]>();
  for (const list of lists) {
    for (const [folded, word] of new Map(list.map((one) => [fold(one), one]))) {
      const count = counts.get(folded);
      if (count) count[1] += 1;
      else counts.set(folded, [word, 1]);
    }
  }
  return [...counts.values()].toSorted((a, b) => b[1] - a[1]);
}

const segmenter = new Intl.Segmenter("ja", { granularity: "word" });

/** Words of a title as users type them: no signs, no bare numbers, no single letters except kanji. */
export function toWords(title: string): string[] {
  return [...segmenter.segment(title)].flatMap(({ segment, isWordLike }) =>
    isWordLike && /..|\p{Script=Han}/u.test(segment) && !/^[\p{N}\p{P}]+$/u.test(segment)
      ? [segment]
      : [],
  );
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
