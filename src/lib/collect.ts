/** The items of each key, in their order. */
export function collect<Item, Key>(
  items: Iterable<Item>,
  keysOf: (item: Item) => readonly Key[],
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      const members = groups.get(key);
      if (members) members.push(item);
      else groups.set(key, [item]);
    }
  }
  return groups;
}
