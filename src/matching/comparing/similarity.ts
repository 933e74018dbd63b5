/** Share of letters that both have in the same order, 0 to 1. The time is the product of the lengths. */
export function likeness(a: string, b: string): number {
  if (a === b) return 1;
  if (a.length === 0 || b.length === 0) return 0;
  const row = new Uint16Array(b.length + 1);
  for (let i = 0; i < a.length; i += 1) {
    let diagonal = 0;
    const letter = a.charCodeAt(i);
    for (let j = 0; j < b.length; j += 1) {
      const above = row[j + 1] ?? 0;
      const left = row[j] ?? 0;
      const best = letter === b.charCodeAt(j) ? diagonal + 1 : Math.max(above, left);
      row[j + 1] = best;
      diagonal = above;
    }
  }
  return (2 * (row[b.length] ?? 0)) / (a.length + b.length);
}

/** Cosine of two sets of numbers, each ascending, 0 to 1. */
export function setCosine(a: Int32Array, b: Int32Array): number {
  if (a.length === 0 || b.length === 0) return 0;
  let shared = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const difference = (a[i] ?? 0) - (b[j] ?? 0);
    if (difference === 0) shared += 1;
    if (difference <= 0) i += 1;
    if (difference >= 0) j += 1;
  }
  return shared / Math.sqrt(a.length * b.length);
}

/** Whether two words of letters are spellings of one: Jaro–Winkler of at least .9. */
export function isSpelling(a: string, b: string): boolean {
  if (a[0] !== b[0] || Math.abs(a.length - b.length) > 0.4 * Math.max(a.length, b.length))
    return false;
  return jaroWinkler(a, b) >= 0.9;
}

function jaroWinkler(a: string, b: string): number {
  const reach = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1);
  const taken = new Uint8Array(b.length);
  const fromA: number[] = [];
  for (let i = 0; i < a.length; i += 1) {
    const end = Math.min(b.length, i + reach + 1);
    for (let j = Math.max(0, i - reach); j < end; j += 1) {
      if (taken[j] === 1 || a.charCodeAt(i) !== b.charCodeAt(j)) continue;
      taken[j] = 1;
      fromA.push(a.charCodeAt(i));
      break;
    }
  }
  const matches = fromA.length;
  if (matches === 0) return 0;
  let swapped = 0;
  for (let j = 0, next = 0; j < b.length; j += 1) {
    if (taken[j] !== 1) continue;
    if (fromA[next] !== b.charCodeAt(j)) swapped += 1;
    next += 1;
  }
  const jaro = (matches / a.length + matches / b.length + (matches - swapped / 2) / matches) / 3;
  let prefix = 0;
  while (prefix < 4 && prefix < a.length && a[prefix] === b[prefix]) prefix += 1;
  return jaro + prefix * 0.1 * (1 - jaro);
}
