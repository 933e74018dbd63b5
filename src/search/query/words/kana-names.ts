import { toRomaji } from "wanakana";

/**
 * What katakana may have for Latin letters, by how the letters begin; the first rule that fits. Behind a colon the vowels
 * that follow where no vowel was written: `k:ui` is k, or ku and ki before a consonant. `_`: nothing. `~`: rarely (see `mostRare`).
 */
const table = `
^b$ bi b:u|^c$ shi k:u|^d$ di d:o _|^f$ efu|^g$ ji|^h$ eichi|^j$ jei|^k$ kei|^l$ eru r:u|^m$ emu m:u|^n$ enu n|^p$ pi|^q$ ku|^r$ aru _|^s$ esu s:u z:u _|^t$ ti t:o _|^v$ bi bui|^w$ daburu|^x$ ekusu|^y$ wai|^z$ zeto|^dr$ dokuta
sch sh:ui suk|tch ch:i|ch(?<=tech) k:ui ch:i|ch(?=ee) ch:i|ch(?=e$) ch:i sh:u h|ch(?<=auch)$ f:u h:a|ch$ ch:i ~k:u sh:u ~h:iao|ch ch:i k:ui sh:ui h:ia|ck k:ui|cc(?=[ei]) ch kus kush|c(?=[iy]) s sh ch|c(?=e) s:u sh z:u ch:i|c$ k:ui ~_|cqu(?=[aio]) k kw ku|cqu k:u|c+ k:ui
qu(?=[aio]) k kw ku|qu k:u kw|q k:u|^kn n|k+ k:ui|sw(?=[ie]) su suw|shion shon|sh sh:ui|sion shon jon|tion shon|sc(?=[eiy]) s sh|ss+(?=[iu]) s:u sh|s(?<=[aeiouy]s)(?=[iuy]) s:u sh z:u j|s+(?=[iuy]) s:u sh z:u|s+(?=e[ae]) s:u sh z:u|s+(?=eri) s:u sh|s(?=[tp]) s:u sh:u|s$ s:u z:u ~_|s+ s:u z:u
th(?=[iy]) s sh t|th(?=er$) s:u z:u|th s:u z:u t:o toh|tz ts:u|ts(?=[tp]) tosu ts:u|ts ts:u tos:u|tw(?=[ie]) tsu tuw tow|t+(?=[iy]) t ch|t(?=en) t ch|t+(?=o[ou]) t:o ts|t+(?=u) t ts ch tot|t(?<=[aeo]t)$ t:o ts:u ~_|t(?<=ault)$ t:o _|t(?<=rt)$ t:o ts:u ~_|t+$ t:o ts:u|t(?=[bcdfgklmnps]) t:o _|t+ t:o
dj j|dt$ t:o ts:u|dg j:i|d+(?=[iy]) d:o j|d+$ d:o t:o ~_|d(?=[bcfgkmnpst]) d:o _|d+ d:o|p[fh] f:u|f+(?=[eo]) f:u h|f+(?=i) f fu|f+ f:u|v+ b:u
wh(?=i) w ho how|wh w ho|wa(?![iyu]) wa wo wei uei|^wr r|w(?=[ou]) w _ ~b|w(?=[a-z]{5}) w u b|w w u|^x ekus:u z s sh|x(?<=[ae]ux)$ _ kus:u|xion kushon|x(?=e[a-z]) kus:u kis kish|x(?=[iy]) kus kush kish|x kus:u kis:u|z(?=i) z j|z$ ts:u z:u|z+ z:u ts:u
gh g:u _|geo jo jio geo|gu(?=[eiy]) g:u|gn n niy gun|g+(?=es?$) j:iu g:u|g+(?=[eiy]) g:u j:i|ng$ n ng:u|g+$ g:u k:u|g+ g:u|j j:i ~y
l(?=k) r:u _|l+(?![aeiouyl]) r:u|l+ r:u|re(?<=ire)(?![adeginoru]) a ya re r:u|re$ a re r:u|r+(?=[aeiouy]) r:u|r+ _ r:u|m+(?=\\W?[bp]) n m:u|mm(?=[aeiouy]) m nm|m+ m:u|n+(?=es?$) n nu|n+ n|p(?=b) p:u _|p+ p:u|b(?<=mb)$ b:u _|b+ b:u
hu(?=a) f fu hu|h(?=[ou]) h f|h(?=[aei]) h|h _ h
eau o|aa a|uu u|oor(?=s?$) oa o|oo u o|^one wan on oni one|ou(?<=tou) u o au a|ou u o au ~a|ow(?=er) aw au o|ow(?=a) ow|ow o au|oa o oa|oy(?=a) oiy|o[iy] oi wa|ai(?=r) ea ei|ai(?=n$) ei e ai a|ai(?=n) ei e ai|ay(?=[ao]) ay ei|ay$ ei ai e|a[iy] ei ai|au(?=s$) au|au o au a|aw(?![aeiou]) o a|ei(?=[lns]$) ai ~ei|ei(?<=[ck]ei) ei ai i|ei ei ai|ey ei ai i
eu u yu oi e|ew u yu|ear ia iya a ea|ea(?=k) i e ei|ea(?=[lt]) i e ia ea|ea$ ia ea i ei|ea i e ~ia ~ei ea|ee(?=r$) i ia|ee i ei|ie i ie ai iei|ia ia iya iei a aia aiya|io io iyo aio|ue u ue|ui(?<=[bc]ui) u i|ui ui u|ae e ei i ea|oe o e u oe
igh ai|are$ ea|al(?=k) o oru a|a(?=[bdfgkmnpstvz]e$) ei ~a|a(?=th$) a|a(?=[b-z]$) a|a(?<=qua)(?=r) o a|a(?=l[aeiouy]) a o ei|a(?=l) a o|a(?=([b-z])\\1) a e|a(?=ck) a e|a(?=[bdlmnv]y) a ei e|a(?=ce$) a ei e|a(?=[a-z]{5}) a ei e|a a ei
^e(?=h) ei e|^e(?!r) e i|e(?=r[aeiouy]) e i ei|e(?=r) e a|e(?=n[cdgt]) e _ ~a|e(?=([b-z])\\1) e|e(?=[a-z]e$) e ei i|e(?=[ns]$) e ei _|e(?=ns$) e i|e(?=[a-z]$) e ei ~i ~_|e(?<=[bp]e)$ e i _|e(?<=ike)$ e i _|e$ e ei _|e(?=[b-df-hj-np-tvz][aeiouy]) e i _|e(?<=^[dr]e)(?=[b-df-hj-np-tv-z][a-z]{2}) e i _|e(?=[a-z]{3}) e _|e e
isch$ ish|i(?=([b-z])\\1) i|i(?=ck) i|i(?=[fl]t) i|i(?=[lr]k) i|i(?=r) i ai a|i(?=n$) i ai a|i(?=n[cdgt]) i ai ~a|i i ai|or(?=s?$) o oa oru a|o(?=[vnm]) o a u|o(?<=wo)(?=r) o a|o o|u(?=m) u a o|ure$ a ua yua|u u a yu|y(?=[aeiou]) y iy i|y i ai`;

interface Choice {
  sound: string;
  vowels: string;
  isRare: boolean;
}

/** By the first letter. */
const rules = new Map<string, { letters: RegExp; choices: Choice[] }[]>();
for (const row of table.trim().split(/[|\n]/)) {
  const [letters = "", ...heard] = row.split(" ");
  const first = letters.replace("^", "").charAt(0);
  const choices = heard.map((choice) => {
    const [sound = "", vowels = ""] = choice.replaceAll(/[~_]/g, "").split(":");
    return { sound, vowels, isRare: choice.startsWith("~") };
  });
  const known = rules.get(first) ?? [];
  if (known.length === 0) rules.set(first, known);
  const source = letters.replace("^", "(?<![a-z])").replace("$", "(?![a-z])");
  known.push({ letters: new RegExp(source, "y"), choices });
}

function choicesAt(word: string, at: number): { length: number; choices: Choice[] } {
  for (const { letters, choices } of rules.get(word.charAt(at)) ?? []) {
    letters.lastIndex = at;
    const [found] = letters.exec(word) ?? [];
    if (found) return { length: found.length, choices };
  }
  return { length: 1, choices: [{ sound: "", vowels: "", isRare: false }] };
}

const smallKana = new Map(
  Array.from("ァィゥェォャュョ", (kana, i) => [kana, "aiueoauo".charAt(i)]),
);
const glides = new Map([
  ["ウ", "w"],
  ["イ", "y"],
]);

/** How katakana sound, in Latin letters: キャップ is kapu. Of long vowels only エー is told, as エイ. */
export function soundOf(kana: string): string {
  return kana
    .replaceAll(/[^ァ-ヺー]|ッ/g, "")
    .replaceAll(/([ア-ヺ])([ァィゥェォャュョ])/g, (_, letter: string, small: string) => {
      const consonant = glides.get(letter) ?? toRomaji(letter).replace(/[aeiou]$/, "");
      return `${consonant}${smallKana.get(small)}`;
    })
    .replaceAll(/[ァ-ヺ]/g, (letter) => toRomaji(letter))
    .replaceAll("eー", "ei")
    .replaceAll("ー", "")
    .replaceAll("v", "b")
    .replaceAll("ou", "o")
    .replaceAll(/(.)\1+/g, "$1");
}

/** What the sounds of katakana for this word may begin with. */
export function beginningsOf(word: string): Set<string> {
  const beginnings = new Set<string>();
  for (let at = 0; at < word.length;) {
    const { length, choices } = choicesAt(word, at);
    for (const { sound } of choices) if (sound !== "") beginnings.add(sound.charAt(0));
    if (choices.every(({ sound }) => sound !== "")) break;
    at += length;
  }
  return beginnings;
}

/** How many rare choices a word may need: one for each six letters, at most two. */
const mostRare = (word: string) => Math.min(2, Math.floor(word.length / 6));

interface Hearing {
  /** The katakana are half-typed. */
  isBegun?: boolean;
  /** The word is half-typed. */
  isOpen?: boolean;
  /** Nothing is rare. */
  isExact?: boolean;
}

/** Whether katakana that sound so may be written for the word or words, which have the letters a to z. */
export function isHeardAs(word: string, sound: string, hearing: Hearing = {}): boolean {
  const { isBegun = false, isOpen = false, isExact = false } = hearing;
  const most = isExact ? 0 : mostRare(word);
  const failed = new Set<number>();
  const isRest = (i: number, j: number, rare: number): boolean => {
    if (rare > most) return false;
    if (isBegun && j === sound.length) return true;
    if (i === word.length) return isOpen || j === sound.length;
    const place = (i * (sound.length + 1) + j) * (most + 1) + rare;
    if (failed.has(place)) return false;
    const { length, choices } = choicesAt(word, i);
    const next = word.charAt(i + length);
    // Two vowels that meet sound as one: アンダーアーマー is andama.
    const isMet = word.charAt(i) === " " && /[aeiou]/.test(sound.charAt(j - 1));
    const isFound =
      (isMet && isRest(i + 1, j - 1, rare)) ||
      choices.some((choice) => {
        if (!sound.startsWith(choice.sound, j)) return false;
        const end = j + choice.sound.length;
        const rarer = rare + Number(choice.isRare);
        const isAlone = choice.vowels === "" || /[aeiouy]/.test(next) || (isOpen && next === "");
        if (isAlone && isRest(i + length, end, rarer)) return true;
        const isFilled = !/[aiou]/.test(next) && choice.vowels.includes(sound.charAt(end) || "-");
        return isFilled && isRest(i + length, end + 1, rarer);
      });
    if (!isFound) failed.add(place);
    return isFound;
  };
  return isRest(0, 0, 0);
}
