/** What is wrong with the address of a mail server; never quotes it, because it may contain a password. */
export function smtpUrlFault(url: URL): string | null {
  if (url.protocol !== "smtp:" && url.protocol !== "smtps:") {
    return "must start with smtp:// or smtps://";
  }
  if (url.hostname === "") return "must name a server";
  if (!/^\/?$/.test(url.pathname) || url.search || url.hash) {
    return "must end after the server and its port";
  }
  return isDecodable(url.username) && isDecodable(url.password)
    ? null
    : "must have its name and password percent-encoded";
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export const senderRule =
  "must be a mail address, or a name with one: Kurabe <alerts@shop.example>";

const address = String.raw`[^\s<>@,;:"]+@[^\s<>@,;:"]+`;
const sender = new RegExp(String.raw`^(?:[^<>@,;:"\p{Cc}]*<${address}>|${address})$`, "u");

export function isSender(text: string): boolean {
  return sender.test(text);
}
