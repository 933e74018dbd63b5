/**
 * Words that mean the same to a shopper, each to all others of its group. Only spellings and names of
 * one thing belong here, in the form `normalise` gives them; a word is in one group at most.
 */
export const synonymGroups: readonly (readonly string[])[] = [
  ["ヴィンテージ", "ビンテージ"],
  ["手造り", "手作り"],
  ["スマホ", "スマートフォン"],
  ["革", "皮", "レザー"],
];

/**
 * The same where one spelling is of several kanji alone: the engine reads such a synonym as Chinese and
 * meets it in no Japanese query, so the documents carry the other spellings instead.
 */
export const spellingGroups: readonly (readonly string[])[] = [
  ["刺しゅう", "刺繍"],
  ["斎藤", "斉藤"],
];

/** How else the words of a normalised text are spelt, by `spellingGroups`. */
export function otherSpellings(text: string): string[] {
  return spellingGroups.flatMap((group) => {
    const isNamed = group.some((word) => text.includes(word));
    return isNamed ? group.filter((word) => !text.includes(word)) : [];
  });
}
