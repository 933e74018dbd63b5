const placeholder = /\{(\w+)\}/g;

/**
 * Translates texts by a table from one language to another, whose `{names}` stand for any text; what fills them is
 * translated too, if the table has it. null: the table lacks the text.
 */
export function createTranslator(
  table: Readonly<Record<string, string>>,
): (text: string) => string | null {
  const all = Object.entries(table);
  const fixed = new Map(all.filter(([from]) => !/\{\w+\}/.test(from)));
  // The most specific first, so that `{n}, or null` is not taken for `{n}`, nor a whole sentence for its end.
  const patterns = all
    .filter(([from]) => !fixed.has(from))
    .toSorted(([a], [b]) => specificity(b) - specificity(a))
    .map(([from, to]) => ({ names: namesOf(from), pattern: toPattern(from), to }));

  return function translate(text: string): string | null {
    const known = fixed.get(text);
    if (known !== undefined) return known;
    for (const { names, pattern, to } of patterns) {
      const match = pattern.exec(text);
      if (!match) continue;
      const values = new Map(names.map((name, i) => [name, match[i + 1] ?? ""]));
      return to.replaceAll(placeholder, (_, name: string) => {
        const value = values.get(name) ?? "";
        return translate(value) ?? value;
      });
    }
    return null;
  };
}

function specificity(template: string): number {
  const ownChars = template.replaceAll(placeholder, "").length;
  return template.startsWith("{") ? ownChars - 1000 : ownChars;
}

function namesOf(template: string): string[] {
  return [...template.matchAll(placeholder)].map(([, name = ""]) => name);
}

function toPattern(template: string): RegExp {
  const parts = template
    .split(/\{\w+\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("(.+?)")}$`, "su");
}
