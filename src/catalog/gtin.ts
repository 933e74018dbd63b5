import type { StoredProduct } from "./products.ts";

const lengths = new Set([8, 12, 13, 14]);
/**
 * Numbers that different shops give to different goods: those that GS1 leaves to each company (prefixes 02, 04 and 2; of
 * eight digits 0 and 2), and 192, the price of a Japanese book below its ISBN.
 */
const ownNumbers = /^0(?:0[24]|2|192)|^000000[02]/;
/** What shops type where a form asks for a number, without the check digit: 1234567890128, 9999999999994. */
const countedDigits = ["1234567890123", "9876543210987"];
/** Of ten digits those with a right check digit: all of one digit have one too. */
const fillers = ["0123456789", "123456789X"];

/**
 * Converts a JAN, EAN, UPC or GTIN to 14 digits, so that the same product always has the same number.
 * Returns null for a wrong length or check digit (GS1 General Specifications, section 7.9), and for a number that
 * shops give to goods of their own or type for want of one. The ISBN of a book is that of its barcode. Accepts full-width
 * digits, spaces, dashes and signs without a width, because shops type and copy them.
 */
export function toGtin14(text: string | null): string | null {
  const gtin14 = text === null ? null : (readGtin14(text) ?? readIsbn10(text));
  return gtin14 === null || ownNumbers.test(gtin14) || isFiller(gtin14) ? null : gtin14;
}

function isFiller(gtin14: string): boolean {
  const body = gtin14.slice(0, -1).replace(/^0+/, "");
  return new Set(body).size === 1 || countedDigits.some((digits) => digits.startsWith(body));
}

/** The 14 digits of what is asked for: also of a number that is no product's. */
export function readGtin14(text: string): string | null {
  const digits = toDigits(text);
  return faultOf(digits) === null ? digits.padStart(14, "0") : null;
}

/** The GTIN of a book by the ISBN of ten digits that it had until 2006, and that shops still tell; null: it is none. */
export function readIsbn10(text: string): string | null {
  const digits = toDigits(text).toUpperCase();
  if (!/^\d{9}[\dX]$/.test(digits)) return null;
  const sum = Array.from(digits, (digit, i) => (10 - i) * (digit === "X" ? 10 : Number(digit)));
  if (sum.reduce((total, value) => total + value) % 11 !== 0) return null;
  if (fillers.includes(digits) || new Set(digits).size === 1) return null;
  const body = `0978${digits.slice(0, 9)}`;
  return body + checkDigit(body);
}

/** As printed below the bars: 8, 13 or 14 digits; a UPC has 13 digits as a GTIN. */
export function toPrintedGtin(gtin14: string): string {
  if (gtin14.startsWith("000000")) return gtin14.slice(6);
  return gtin14.startsWith("0") ? gtin14.slice(1) : gtin14;
}

/** The barcodes of a product that are GTINs, each once. */
export function gtin14sOf(product: Pick<StoredProduct, "variations">): Set<string> {
  return new Set(product.variations.flatMap((v) => toGtin14(v.barcode) ?? []));
}

/** Says why the text is no GTIN; null if it is one. */
export function gtinFault(text: string): string | null {
  return faultOf(toDigits(text));
}

function toDigits(text: string): string {
  return text.normalize("NFKC").replaceAll(/[\s\p{Pd}\p{Cf}−]/gu, "");
}

function faultOf(digits: string): string | null {
  if (!/^\d+$/.test(digits)) return "must consist of digits";
  if (!lengths.has(digits.length)) {
    return `must have 8, 12, 13 or 14 digits; this has ${digits.length}`;
  }
  if (/^0+$/.test(digits)) return "must not be all zeros";
  const right = checkDigit(digits.padStart(14, "0").slice(0, 13));
  return digits.endsWith(right)
    ? null
    : `its check digit is ${digits.slice(-1)}, but for the digits before it that would be ${right}`;
}

function checkDigit(body: string): string {
  const sum = Array.from(body, Number).reduce(
    (total, digit, i) => total + digit * (i % 2 === 0 ? 3 : 1),
    0,
  );
  return String((10 - (sum % 10)) % 10);
}
