/** Returns the value, or throws an error that names the failed expectation. */
export function must<T>(value: T | null | undefined, expectation: string): T {
  if (value === null || value === undefined) throw new Error(`expected ${expectation}`);
  return value;
}
