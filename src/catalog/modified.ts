const YEAR_2000_S = 946_684_800;
const DAY_MS = 86_400_000;

/**
 * The instant an upstream `modified` stands for. Its unit is not specified, so it is told by range:
 * seconds or milliseconds since 1970 that fall between 2000 and a day from now; null otherwise.
 */
export function toModifiedAt(modified: number, now: Date): Date | null {
  const latestMs = now.getTime() + DAY_MS;
  for (const ms of [modified * 1000, modified]) {
    if (ms >= YEAR_2000_S * 1000 && ms <= latestMs) return new Date(ms);
  }
  return null;
}
