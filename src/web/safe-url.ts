/**
 * An address a shop wrote, as one that may stand in a link, or null: only http and https lead
 * somewhere, whatever the text hides behind control characters, case or missing schemes.
 */
export function toSafeLink(text: string): string | null {
  const url = toUrl(text);
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") ? url.href : null;
}

/** The same for pictures, which load by themselves: https alone. Commas would part a `srcset`. */
export function toSafeImage(text: string | null | undefined): string | null {
  const url = text ? toUrl(text) : null;
  return url?.protocol === "https:" ? url.href.replaceAll(",", "%2C") : null;
}

function toUrl(text: string): URL | null {
  if (text.length > 2000 || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.username === "" && url.password === "" ? url : null;
}
