import { LRUCache } from "lru-cache";

/** Forms that one address may send within an hour. */
const most = 30;
const hourMs = 3_600_000;

/** Counts forms by address, for the last 10,000 addresses, and says whether one more is allowed. */
export function createAllowance(): (address: string) => boolean {
  const sent = new LRUCache<string, { count: number }>({ max: 10_000, ttl: hourMs });
  return (address) => {
    const known = sent.get(address);
    if (known) return (known.count += 1) <= most;
    sent.set(address, { count: 1 });
    return true;
  };
}
