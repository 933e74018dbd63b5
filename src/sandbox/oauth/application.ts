import { isSameText } from "./secrets.ts";

/** An application registered for the general API. */
export interface Application {
  clientId: string;
  clientSecret: string;
  redirectUris: readonly string[];
}

const loopback = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Exactly as registered; for a loopback address the port may differ (RFC 8252 section 7.3). */
export function isRegistered({ redirectUris }: Application, uri: string): boolean {
  const wanted = toComparable(uri);
  return wanted !== null && redirectUris.some((registered) => toComparable(registered) === wanted);
}

/** null: this address may not be registered. */
function toComparable(uri: string): string | null {
  if (!URL.canParse(uri)) return null;
  const url = new URL(uri);
  if (url.hash !== "" || url.username !== "" || url.password !== "") return null;
  if (url.protocol === "https:") return uri;
  if (url.protocol !== "http:" || !loopback.has(url.hostname)) return null;
  url.port = "";
  return url.href;
}

/** Whether these are the application's id and secret. */
export function isApplication(app: Application, clientId: string, clientSecret: string): boolean {
  const isItsId = isSameText(app.clientId, clientId);
  return isSameText(app.clientSecret, clientSecret) && isItsId;
}
