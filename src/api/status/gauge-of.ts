import type { State } from "./state.ts";

export type Figure = [value: number, labels?: Record<string, string>];

export interface GaugeOfState {
  help: string;
  labelNames?: string[];
  /** None if its part of the state could not be read. */
  figures(state: Partial<State>): Figure[];
}

/** A gauge that shows a part of the state. */
export function gaugeOf<P extends keyof State>(
  part: P,
  gauge: Omit<GaugeOfState, "figures"> & { figures(value: State[P]): Figure[] },
): GaugeOfState {
  return {
    ...gauge,
    figures(state) {
      const value: State[P] | undefined = state[part];
      return value === undefined ? [] : gauge.figures(value);
    },
  };
}
