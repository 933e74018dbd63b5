const vowels = "aiueo";
/** Katakana by consonant and vowel. */
const table = `
- アイウエオ|- ヤ_ユ_ヨ|- ワ____|k カキクケコ|g ガギグゲゴ|s サシスセソ|s ザジズゼゾ|t タチ_テト|ts __ツ__|d ダ__デド|s _ヂヅ__
n ナニヌネノ|m マミムメモ|h ハヒフヘホ|b バビブベボ|b __ヴ__|p パピプペポ|r ラリルレロ|n __ン__|small ァィゥェォ|small ャ_ュ_ョ`;
const syllables = new Map(
  table.split(/[|\n]/).flatMap((row) => {
    const [consonant = "", kana = ""] = row.split(" ");
    return Array.from(kana, (letter, i) => [letter, [consonant, vowels.charAt(i)]] as const);
  }),
);

/** Fewer consonants do not tell a word. */
const leastConsonants = 2;
const consonantsOf = (text: string) => text.replaceAll(/[^a-z]|small/g, "");

/** How a katakana word sounds: its first vowel and its consonants. null: too little to tell it by. */
export function soundOfKana(word: string): string | null {
  const [first, second] = [syllables.get(word.charAt(0)), syllables.get(word.charAt(1))];
  const consonants = Array.from(word.slice(1), (kana) => syllables.get(kana)?.[0] ?? "").join("");
  const rest = consonantsOf(consonants);
  if (!first || consonantsOf(first[0] + rest).length < leastConsonants) return null;
  return `${second?.[0] === "small" ? second[1] : first[1]} ${first[0]}${rest}`;
}

/** Katakana letter by letter: `suniikaa`. */
export function lettersOfKana(word: string): string {
  return Array.from(word, (kana) => {
    const [consonant, vowel] = syllables.get(kana) ?? ["", ""];
    return consonant.replace(/-|small/, "") + (kana === "ン" ? "" : vowel);
  }).join("");
}

/** First vowels of katakana for those of Latin words. */
const heard: Record<string, string> = { a: "aeo", e: "eiau", i: "ia", o: "oau", u: "ua", y: "ia" };

/** Latin letters with what Japanese makes of them; the first rule that fits. */
const rules: [RegExp, string[]][] = [
  [/(?:sch|sh|ss)/y, ["s"]],
  [/tch/y, ["t"]],
  [/ch/y, ["t", "s", "k"]],
  [/th/y, ["s", "t"]],
  [/ph|f+/y, ["h"]],
  [/c(?=[eiy])/y, ["s"]],
  [/ck|cc?|qu?|kk?/y, ["k"]],
  [/dg(?=[eiy])/y, ["s"]],
  [/g(?=[eiy])/y, ["g", "s"]],
  [/ng$/y, ["ng", "n"]],
  [/gh/y, ["g", ""]],
  [/gg?/y, ["g"]],
  [/^x/y, ["s"]],
  [/x/y, ["ks"]],
  [/[szj]z?/y, ["s"]],
  [/[td]$/y, ["t", "d", ""]],
  [/tt?/y, ["t"]],
  [/dd?/y, ["d"]],
  [/m(?=[bp])/y, ["n", "m"]],
  [/mm?/y, ["m"]],
  [/nn?/y, ["n"]],
  [/r(?![aiouy]|e.)/y, ["", "r"]],
  [/ll?|rr?/y, ["r"]],
  [/[vb]b?/y, ["b"]],
  [/pp?/y, ["p"]],
  [/h(?=[aeiou])/y, ["h", ""]],
  [/[a-z]/y, [""]],
];
const maxSounds = 16;

/** What katakana for this Latin word may sound like; empty: too little to tell it by. */
export function soundsOfLatin(word: string): string[] {
  const [, start = "", first = ""] =
    /^([^aeiou]*)([aeiou]?)/.exec(word.replace(/^[wy](?=[aeiou])/, "")) ?? [];
  // Of several consonants the first one has an u or o in katakana.
  const isSeveral = start.length > 1 && !/^(?:[cst]h|sch|ph|(.)\1)$/.test(start);
  let sounds = [start === "" ? "-" : ""];
  for (let at = 0; at < word.length;) {
    const [length, choices] = readAt(word, at);
    sounds = sounds.flatMap((sound) => choices.map((choice) => sound + choice)).slice(0, maxSounds);
    at += length;
  }
  const telling = sounds.filter((sound) => consonantsOf(sound).length >= leastConsonants);
  return Array.from(isSeveral ? "uo" : (heard[first] ?? "")).flatMap((vowel) =>
    telling.map((sound) => `${vowel} ${sound}`),
  );
}

function readAt(word: string, at: number): [number, string[]] {
  for (const [rule, choices] of rules) {
    rule.lastIndex = at;
    const [found] = rule.exec(word) ?? [];
    if (found) return [found.length, choices];
  }
  return [1, [""]];
}
