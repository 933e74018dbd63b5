const maxChars = 2000;

/**
 * Makes an address from a shop safe for a link, or returns null. Only http and https are allowed, also
 * if control characters, case or a missing scheme try to hide another one.
 */
export function toSafeLink(text: string): string | null {
  const url = toUrl(text);
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") ? url.href : null;
}

/** The same for pictures: only https, because they load automatically. Commas would split a `srcset`. */
export function toSafeImage(text: string | null | undefined): string | null {
  const url = text ? toUrl(text) : null;
  return url?.protocol === "https:" ? url.href.replaceAll(",", "%2C") : null;
}

/** A plain scheme and host with an optional path: certainly a web address. */
const plainWebUrl = /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?(\/|$)/i;

/** For JSON, which others put into their own links and pictures: the unchanged address, or null. */
export function toWebUrl(text: string | null | undefined): string | null {
  if (!text || text.length > maxChars) return null;
  // A page of 100 products has thousands of addresses, and parsing each would take milliseconds.
  return plainWebUrl.test(text) || toSafeLink(text) !== null ? text : null;
}

function toUrl(text: string): URL | null {
  if (text.length > maxChars || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.username === "" && url.password === "" ? url : null;
}
