const maxChars = 2000;

/**
 * Makes an address from a shop safe for a link, or returns null. Only http and https are allowed, also
 * if control characters, case or a missing scheme try to hide another one.
 */
export function toSafeLink(text: string): string | null {
  const url = toUrl(text);
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") ? url.href : null;
}

/**
 * The same for pictures: only https, because they load automatically, and what `loopbackPictures` allows
 * besides. Commas would split a `srcset`.
 */
export function toSafeImage(
  text: string | null | undefined,
  loopbackPictures: string | null = null,
): string | null {
  const url = text ? toUrl(text) : null;
  if (url === null) return null;
  const isSafe = url.protocol === "https:" || isFrom(url, loopbackPictures);
  return isSafe ? url.href.replaceAll(",", "%2C") : null;
}

/**
 * From where pictures may load over plain http, as a source of a Content Security Policy: from an upstream
 * on this machine, the built-in sandbox (null) at any port; null: from nowhere.
 */
export function loopbackPicturesOf(upstreamUrl: string | null): string | null {
  if (upstreamUrl === null) return "http://127.0.0.1:*";
  const { protocol, hostname, origin } = new URL(upstreamUrl);
  const isLoopback = hostname === "localhost" || /^127(\.\d{1,3}){3}$/.test(hostname);
  return protocol === "http:" && isLoopback ? origin : null;
}

function isFrom(url: URL, source: string | null): boolean {
  if (source === null) return false;
  return source.endsWith(":*")
    ? `${url.protocol}//${url.hostname}:*` === source
    : url.origin === source;
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
