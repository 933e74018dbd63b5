import { lettersOfKana, soundOfKana, soundsOfLatin } from "../titles/sounds.ts";
import { prepare, type Prepared } from "../titles/prepare.ts";
import { likeness } from "./similarity.ts";

const katakanaRun = /[ァ-ヴー]+(?:[ ・][ァ-ヴー]+){0,2}/g;
const latinWord = /[a-z](?:'?[a-z])+/g;
/** `North Face` is one word in katakana, `Double Rich Chocolate` too. */
const mostJoined = 3;
const mostSpoken = 24;
/** Of words with two consonants only, the vowels have to agree too: `nike`, but not `men` for ミニ. */
const shortLikeness = 0.6;

const spoken = new WeakMap<Prepared, ReadonlyMap<string, readonly string[]>>();

/** Both products with titles that have the same words in the same script: ナイキ becomes Nike beside a Nike. */
export function inOneScript(left: Prepared, right: Prepared): [Prepared, Prepared] {
  return [inScriptOf(left, right), inScriptOf(right, left)];
}

function inScriptOf(own: Prepared, other: Prepared): Prepared {
  if (!own.title.match(katakanaRun)?.some((run) => !other.title.includes(run))) return own;
  const latin = spokenLatin(other);
  const title = own.title.replaceAll(katakanaRun, (run) => {
    const words = run.split(/[ ・]/);
    const written: string[] = [];
    for (let at = 0; at < words.length;) {
      const spans = words.slice(at).map((_, i) => words.slice(at, words.length - i));
      const read = spans
        .filter((span) => !span.some((word) => other.title.includes(word)))
        .map((span) => ({ span, found: latinOf(span.join(""), latin) }))
        .find(({ found }) => found !== undefined);
      // Of what has both scripts, `NIKE ナイキ`, one is left.
      const news = read?.found?.split(" ").filter((word) => !own.words.includes(word));
      written.push(news ? ` ${news.join(" ")} ` : (words[at] ?? ""));
      at += read?.span.length ?? 1;
    }
    return written.join(" ");
  });
  return title === own.title ? own : prepare({ ...own.input, title });
}

function latinOf(katakana: string, latin: ReadonlyMap<string, readonly string[]>) {
  const word = katakana.replaceAll(/(?<=キ)[ヤユ]/g, (kana) => (kana === "ヤ" ? "ャ" : "ュ"));
  const sound = soundOfKana(word);
  const found = latin.get(sound ?? "");
  if (!sound || !found || sound.length > "a kk".length) return found?.[0];
  return found.find((one) => likeness(one, lettersOfKana(word)) >= shortLikeness);
}

/** The Latin words of a title, alone and joined with their neighbours, by how they sound. */
function spokenLatin(product: Prepared): ReadonlyMap<string, readonly string[]> {
  const known = spoken.get(product);
  if (known) return known;
  const words = (product.title.match(latinWord) ?? []).slice(0, mostSpoken);
  const bySound = new Map<string, string[]>();
  for (let length = 1; length <= mostJoined; length += 1) {
    for (let at = 0; at + length <= words.length; at += 1) {
      const span = words.slice(at, at + length);
      for (const sound of soundsOfLatin(span.join("").replaceAll("'", ""))) {
        bySound.set(sound, [...(bySound.get(sound) ?? []), span.join(" ")]);
      }
    }
  }
  spoken.set(product, bySound);
  return bySound;
}
