const maxChars = 2000;

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

/** Scheme and host in their plainest form, then a path or nothing: what can only be a web address. */
const plainWebUrl = /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?(\/|$)/i;

/** For data, which others put into links and pictures of their own: as it was written, or null. */
export function toWebUrl(text: string | null | undefined): string | null {
  if (!text || text.length > maxChars) return null;
  // A page of 100 products has thousands of addresses: parsing each would cost milliseconds.
  return plainWebUrl.test(text) || toSafeLink(text) !== null ? text : null;
}

function toUrl(text: string): URL | null {
  if (text.length > maxChars || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.username === "" && url.password === "" ? url : null;
}
