import { isRecord } from "../../../lib/is-record.ts";
import { markedNames, type InstantQuery } from "../../../search/instantsearch/instant-query.ts";
import { toMarkedText } from "../../../search/instantsearch/marked-text.ts";
import { withoutMarks } from "../../../search/index/normalise.ts";
import { escapeMarkup } from "../../../lib/escape-markup.ts";
import { picked, type MeiliHit } from "./hit.ts";

/** How matches and cuts are written. */
export interface Tags {
  open: string;
  close: string;
  cut: string;
}

/**
 * The attributes that are retrieved, highlighted or cropped, as texts with matches between the front
 * end's tags. If the tags are markup, the result is HTML, so shops' texts are escaped. With other tags
 * (InstantSearch's own) it is plain text, which InstantSearch escapes itself. null if nothing of the
 * product is highlighted or cropped.
 */
export function toFormatted(
  hit: MeiliHit,
  engineHit: Record<string, unknown>,
  tags: Tags,
  query: InstantQuery,
): MeiliHit | null {
  const asked = [...query.highlight, ...query.crop.keys()];
  if (Object.keys(picked(hit, asked)).length === 0) return null;
  const isHtml = /[<>&"']/.test(tags.open + tags.close);
  const written = (text: string) =>
    isHtml ? escapeMarkup(withoutMarks(text)) : withoutMarks(text);
  const withMarks = (text: string, engineText: string): string => {
    const marked = toMarkedText(text, engineText);
    if (!marked) return written(text);
    const parts = marked.parts.map((part) =>
      part.isMatch ? tags.open + written(part.text) + tags.close : written(part.text),
    );
    const cut = (isCut: boolean) => (isCut ? tags.cut : "");
    return cut(marked.cutBefore) + parts.join("") + cut(marked.cutAfter);
  };
  const { _formatted: found } = engineHit;
  const engineTexts = isRecord(found) ? found : {};
  const members = Object.entries(picked(hit, [...query.retrieve, ...asked])).map(
    ([name, value]) => {
      const engineText = engineTexts[markedNames.get(name) ?? ""];
      const isAsked = asked.includes("*") || asked.includes(name);
      return isAsked && typeof engineText === "string"
        ? [name, toMarked(value, engineText, withMarks)]
        : [name, formatValue(value, written)];
    },
  );
  return Object.fromEntries(members);
}

/** Stands between the categories in the index's text of them. */
const separator = " / ";

function toMarked(
  value: unknown,
  engineText: string,
  withMarks: (text: string, engineText: string) => string,
): unknown {
  if (typeof value === "string") return withMarks(value, engineText);
  if (!Array.isArray(value)) return value;
  const parts = engineText.split(separator);
  const isSame = parts.length === value.length;
  return value.map((one, i) => withMarks(String(one), isSame ? (parts[i] ?? "") : ""));
}

/** Numbers become texts, as in Meilisearch. */
function formatValue(value: unknown, written: (text: string) => string): unknown {
  if (typeof value === "string") return written(value);
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map((part) => formatValue(part, written));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, formatValue(part, written)]),
  );
}
