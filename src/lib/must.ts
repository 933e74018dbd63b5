/** The value, or an error that says which expectation of ours did not hold. */
export function must<T>(value: T | null | undefined, expectation: string): T {
  if (value === null || value === undefined) throw new Error(`expected ${expectation}`);
  return value;
}
