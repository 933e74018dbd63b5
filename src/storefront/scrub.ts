/** Returns a function that removes the secrets from a text, in every form in which they may be echoed. */
export function createScrubber(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.filter((secret) => secret !== "").flatMap(formsOf));
  // Longest first, because a form may contain another one.
  const ordered = [...forms].toSorted((a, b) => b.length - a.length);
  return (text) => ordered.reduce((rest, form) => rest.replaceAll(form, "[secret]"), text);
}

function formsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  const formEncoded = new URLSearchParams({ s: secret }).toString().slice(2);
  const bytes = Buffer.from(secret);
  return [
    secret,
    encoded,
    lowerCaseEscapes(encoded),
    formEncoded,
    lowerCaseEscapes(formEncoded),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString("base64"),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    bytes.toString("hex"),
  ];
}

function lowerCaseEscapes(encoded: string): string {
  return encoded.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
}
