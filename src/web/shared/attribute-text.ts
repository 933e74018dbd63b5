import type { Messages } from "./messages/ja.ts";

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
