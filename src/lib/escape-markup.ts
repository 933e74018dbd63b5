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
