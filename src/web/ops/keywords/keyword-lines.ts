/** The keywords of a text with one a line, with the numbers of their lines; empty lines are left out. */
export function keywordLines(text = ""): { line: number; q: string }[] {
  return text
    .split("\n")
    .map((q, i) => ({ line: i + 1, q: q.trim() }))
    .filter(({ q }) => q !== "");
}
