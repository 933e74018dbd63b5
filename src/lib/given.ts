/** The members that are not undefined. */
export type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

export function given<T extends object>(values: T): Given<T> {
  const members = Object.entries(values).filter(([, value]) => value !== undefined);
  // Safe: only members that are undefined are left out.
  return Object.fromEntries(members) as Given<T>;
}
