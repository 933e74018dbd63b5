const marks = { "": "ゝ", "\u3099": "ゞ" } as const;
const voicing = "\u3099";

/** こころ for こゝろ and いすず for いすゞ, and the reverse; none where no kana is repeated. */
export function otherRepeats(text: string): string[] {
  const kana = Array.from(text);
  const others = kana.map((own, i) => {
    const before = (kana[i - 1] ?? "").normalize("NFD").charAt(0);
    if (own === "ゝ") return before;
    if (own === "ゞ") return (before + voicing).normalize("NFC");
    const [letter = "", voice = ""] = own.normalize("NFD");
    if (letter !== before || !/[ぁ-ゖ]/.test(letter)) return own;
    return voice === voicing ? marks[voicing] : voice === "" ? marks[""] : own;
  });
  const other = others.join("");
  return other === text ? [] : [other];
}
