import type { ProductAttributes } from "../../../catalog/attributes.ts";
import type { Messages } from "../messages/messages.ts";

/** In the reader's language, if it has the name. */
export function colourText(m: Messages, name: string): string {
  return m.product.colours[name] ?? name;
}

/** `graded 10`: the kind in the reader's language, and the grade. A state without its grade is any of them. */
export function conditionText(m: Messages, condition: string): string {
  const [kind = "", ...grade] = condition.split(" ");
  const kinds: Record<string, string> = m.product.conditions;
  return [kinds[kind] ?? kind, ...(condition === "state" ? ["A–D"] : grade)].join(" ");
}

/** `xl` is written `XL`. */
export const sizeText = (size: string): string => size.toUpperCase();

/** What a package holds; other numbers, such as 1397 mm or 60 W, are no content. */
const contentUnits = new Set(["g", "ml", "piece"]);

/** What a title tells, as far as it does: names and texts. */
export function attributeFacts(
  m: Messages,
  attributes: ProductAttributes | null,
): [name: string, text: string][] {
  if (!attributes) return [];
  const { quantity, unit, pack, models, colours, size, condition, edition } = attributes;
  const content = quantity === null ? "" : `${quantity} ${unit ?? ""}`.trim();
  const isContent = unit === null || contentUnits.has(unit);
  const facts: [string, string | null][] = [
    [
      isContent ? m.product.content : m.product.measure,
      [content, pack === null ? "" : `× ${pack}`].join(" ").trim(),
    ],
    [m.product.model, models.join(", ")],
    [m.product.colour, colours.map((colour) => colourText(m, colour)).join(", ")],
    [m.product.size, size && sizeText(size)],
    [m.product.condition, condition && conditionText(m, condition)],
    [m.product.edition, edition],
  ];
  return facts.flatMap(([name, text]) => (text ? [[name, text]] : []));
}
