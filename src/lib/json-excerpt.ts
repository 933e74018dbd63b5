/** The beginning of a value's JSON, for a message. */
export function jsonExcerpt(value: unknown, maxChars: number): string {
  try {
    return textExcerpt(JSON.stringify(value) ?? "nothing", maxChars);
  } catch {
    // Lists within lists can be too deep to be written.
    return "…";
  }
}

/** The beginning of a text; "…" ends what was cut. */
export function textExcerpt(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars).toWellFormed()}…`;
}
