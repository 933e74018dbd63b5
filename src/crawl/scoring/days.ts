const dayMs = 86_400_000;

/** Moments of the planner: days since the epoch. */
export function toDays(instant: Date): number {
  return instant.getTime() / dayMs;
}

export function fromDays(days: number): Date {
  return new Date(Math.round(days * dayMs));
}
