import type { Random } from "../../src/lib/random.ts";
import type { Language } from "./catalogue-titles.ts";
import { entriesOf, type SetProduct, type Spelling } from "./concepts.ts";
import { englishUnknown, englishVerbose } from "./english-words.ts";
import { japaneseUnknown, japaneseVerbose } from "./japanese-words.ts";
import { withKanaTypo } from "./japanese-spellings.ts";
import { createGrader } from "./labels.ts";
import { withTypo } from "./latin-spellings.ts";
import { createMakers, titleKey, type InventedQuery } from "./queries.ts";

const germanUnknown = entriesOf(
  "günstig; kaufen; hochwertig; beste; haltbar; angebot; online; bestellen; testsieger; neuheit; nachhaltig; umweltfreundlich",
);
const germanVerbose = [
  "wo finde ich #",
  "ich suche # für zu hause",
  "welches # ist das beste",
  "# günstig kaufen",
  "habt ihr # im angebot",
  "# online bestellen lieferung",
];

const spellingsOf: Record<Language, readonly Spelling[]> = {
  en: ["plural", "unit", "pack", "compound", "model", "letters"],
  de: ["plural", "unit", "compound", "model", "letters"],
  ja: [
    ...(["kana", "long vowel", "small kana", "width", "okurigana", "ヴ", "old kanji"] as const),
    ...(["short form", "Latin", "letters", "unit", "pack"] as const),
  ],
};
const verboseOf = { en: englishVerbose, de: germanVerbose, ja: japaneseVerbose };
const unknownOf = { en: englishUnknown, de: germanUnknown, ja: entriesOf(japaneseUnknown) };

/** After so many products for each query a kind that fits few products ends. */
const triesPerQuery = 400;

export function inventSet(options: {
  products: readonly SetProduct[];
  language: Language;
  queries: number;
  random: Random;
}) {
  const { products, language, random } = options;
  const { grade, frequencyOf } = createGrader(products);
  const inTitles = new Set(products.flatMap(({ title }) => titleKey(title).split(" ")));
  const attributes = products.flatMap(({ concepts }) =>
    concepts.filter(({ role }) => role === "attribute"),
  );
  const makers = createMakers({
    spellings: spellingsOf[language].filter((spelling) =>
      products.some(({ concepts }) => concepts.some(({ others }) => others[spelling])),
    ),
    verbose: verboseOf[language],
    unknown: unknownOf[language].filter((word) => !inTitles.has(word)),
    mostOthers: language === "en" ? 2 : 1,
    joins: language === "ja",
    toTypo: language === "ja" ? withKanaTypo : withTypo,
    frequencyOf,
    anyConcept: (chance) => chance.pick(attributes),
  });
  const total = makers.reduce((sum, { share }) => sum + share, 0);
  const seen = new Set<string>();
  const made: InventedQuery[] = [];
  for (const { share, make } of makers) {
    const most = Math.ceil((options.queries * share) / total);
    let count = 0;
    for (let tries = 0; count < most && tries < most * triesPerQuery; tries += 1) {
      const query = make(random.pick(products), random);
      if (query === null || query.text.trim() === "" || seen.has(query.text)) continue;
      seen.add(query.text);
      made.push(query);
      count += 1;
    }
  }
  const graded = made.map((query, i) => ({ query, queryId: i + 1, grades: grade(query) }));
  return {
    queries: graded.map(({ query, queryId }) => ({
      query_id: queryId,
      query: query.text,
      kind: query.kind,
    })),
    labels: graded.flatMap(({ queryId, grades }) =>
      [...grades].map(([itemId, given]) => ({
        query_id: queryId,
        item_id: itemId,
        grade: given,
      })),
    ),
  };
}
