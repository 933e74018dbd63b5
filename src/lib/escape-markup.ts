const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text as HTML or XML shows it, also inside the quotes of an attribute. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char);
}

/** The text that `escapeMarkup` has written so. */
export function unescapeMarkup(markup: string): string {
  const charOf = new Map(Object.entries(entities).map(([char, entity]) => [entity, char]));
  return markup.replaceAll(/&[a-z#0-9]{2,4};/g, (entity) => charOf.get(entity) ?? entity);
}
