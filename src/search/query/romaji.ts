const vowels = "aiueo";
const rows =
  "あいうえお kかきくけこ gがぎぐげご sさしすせそ zざじずぜぞ tたちつてと dだぢづでど nなにぬねの hはひふへほ bばびぶべぼ pぱぴぷぺぽ " +
  "mまみむめも rらりるれろ yや_ゆ_よ wわ___を sh_し___ ch_ち___ ts__つ__ f__ふ__ j_じ___";

/** Kana by what is typed for them, folded. */
const syllables = new Map([
  ["n", "ん"],
  ["nn", "ん"],
  ["-", "ー"],
]);
for (const row of rows.split(" ")) {
  const [, consonants = "", kana = ""] = /^([a-z]*)(.*)$/.exec(row) ?? [];
  for (const [i, letter] of Array.from(kana).entries()) {
    if (letter !== "_") syllables.set(consonants + vowels.charAt(i), letter);
  }
  const glide = /^(?:sh|ch|j)$/.test(consonants) ? consonants : `${consonants}y`;
  for (const [vowel, small] of Object.entries({ a: "や", u: "ゆ", o: "よ" })) {
    const sound = glide + vowel;
    if (!syllables.has(sound)) syllables.set(sound, kana.charAt(1) + small);
  }
}
const syllable = /(?:t(?=ch)|([kstpgdbc])(?=\1))|nn?(?![aiueoy])|[^aiueo-]{0,2}[aiueo]|-/y;

/** What an input method makes of Latin letters, folded: くつ of kutsu; null: they are no Japanese. */
export function kanaOfRomaji(typed: string): string | null {
  let kana = "";
  for (let at = 0; at < typed.length;) {
    syllable.lastIndex = at;
    const [found = ""] = syllable.exec(typed) ?? [];
    const read = /^[kstpgdbc]$/.test(found) ? "つ" : syllables.get(found);
    if (read === undefined) return null;
    kana += read;
    at += found.length;
  }
  return kana;
}
