/** One figure of a case beside the same figure of a run without the fault. */
export interface Figure {
  measure: string;
  control: number;
  withFault: number;
  /** How much of the control's pace the rest has kept; above 1 where the subject left it more. */
  share: number;
}

export interface Verdict {
  ids: readonly string[];
  what: string;
  /** What is bad; everything else is the rest. */
  subject: string;
  figures: readonly Figure[];
  /** Why the case could not be judged; null when it could. */
  failure: string | null;
  seconds: number;
}

/** The share of the control's pace that the rest keeps beside any one bad thing. */
export const leastShare = 0.95;

export function figure(measure: string, control: number, withFault: number): Figure {
  return { measure, control, withFault, share: control === 0 ? 0 : withFault / control };
}

/** What costs must stay below a bound: full marks up to it. */
export function ceiling(measure: string, most: number, seen: number): Figure {
  return { measure, control: most, withFault: seen, share: seen <= most ? 1 : most / seen };
}

export function holds(verdict: Verdict): boolean {
  return verdict.failure === null && verdict.figures.every((one) => one.share >= leastShare);
}

export function matches(ids: readonly string[], what: string, only: string | null): boolean {
  const text = `${ids.join(" ")} ${what}`.toLowerCase();
  return only === null || text.includes(only.toLowerCase());
}
