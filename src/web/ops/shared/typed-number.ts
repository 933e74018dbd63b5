/** The number that somebody has typed, in any width and with commas; other text stays, so that a schema refuses it. */
export function typedNumber(text: string): number | string {
  const plain = text.normalize("NFKC").trim();
  const isNumber = /^-?(\d+|\d{1,3}(,\d{3})+)?(\.\d+)?$/.test(plain) && /\d/.test(plain);
  return isNumber ? Number(plain.replaceAll(",", "")) : text;
}
