const wide = /[\u0100-\uFFFF]/;
const pointer = 8;
const header = 24;

/**
 * Estimates the heap bytes of a value with everything that it refers to. Measured on V8, which stores
 * Latin-1 texts with one byte per character and all others with two.
 */
export function sizeOf(value: unknown): number {
  if (typeof value === "string") return header + (wide.test(value) ? 2 : 1) * value.length;
  // V8 stores small integers in the pointer itself.
  if (typeof value === "number") return Number.isInteger(value) ? 0 : 16;
  return typeof value === "object" && value !== null ? sizeOfObject(value) : 0;
}

function sizeOfObject(value: object): number {
  let bytes = header;
  if (value instanceof Date) return 4 * header;
  if (ArrayBuffer.isView(value)) return 4 * header + value.byteLength;
  if (value instanceof Map) {
    for (const [key, held] of value) bytes += 5 * pointer + sizeOf(key) + sizeOf(held);
  } else if (Array.isArray(value)) {
    for (const held of value) bytes += pointer + sizeOf(held);
  } else {
    for (const held of Object.values(value)) bytes += 2 * pointer + sizeOf(held);
  }
  return bytes;
}
