/**
 * Returns the source text of each element of the top-level `items` array, so that unreadable items are
 * stored exactly as sent (parsing rounds numbers beyond 2^53). The text must be a valid JSON object.
 * If `items` is repeated, the last one counts, as in `JSON.parse`.
 */
export function rawItems(json: string): string[] {
  let items: string[] = [];
  for (const member of parts(json)) {
    const keyEnd = endOfString(member, 0);
    if (JSON.parse(member.slice(0, keyEnd)) !== "items") continue;
    const value = member.slice(member.indexOf(":", keyEnd) + 1).trim();
    items = value.startsWith("[") ? [...parts(value)] : [];
  }
  return items;
}

/** The comma-separated parts between the brackets of one object or array. */
function* parts(json: string): Generator<string> {
  let depth = 0;
  let start = 0;
  for (let i = 0; i < json.length; i += 1) {
    const char = json[i];
    if (char === '"') {
      i = endOfString(json, i) - 1;
    } else if (char === "{" || char === "[") {
      depth += 1;
      if (depth === 1) start = i + 1;
    } else if (char === "}" || char === "]" || (char === "," && depth === 1)) {
      if (depth === 1) {
        const part = json.slice(start, i).trim();
        if (part !== "") yield part;
        start = i + 1;
      }
      if (char !== ",") depth -= 1;
    }
  }
}

function endOfString(json: string, quote: number): number {
  let i = quote + 1;
  while (i < json.length && json[i] !== '"') i += json[i] === "\\" ? 2 : 1;
  return i + 1;
}
