const MAX_FIELDS = 500;

/** Returns the field names that this process has not seen before. */
export function createUnknownFields(): (names: readonly string[]) => string[] {
  const known = new Set<string>();
  return (names) => {
    const fresh = names.filter((name) => !known.has(name));
    for (const name of fresh) if (known.size < MAX_FIELDS) known.add(name);
    return known.size < MAX_FIELDS ? fresh : [];
  };
}
