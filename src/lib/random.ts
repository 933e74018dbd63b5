import { must } from "./must.ts";

/** A seeded random generator: the same seed gives the same sequence on every machine. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
  shuffled<T>(list: readonly T[]): T[];
  /** Heavy-tailed, at least 1: the smaller `alpha`, the heavier the tail. */
  pareto(alpha: number): number;
  /** A Poisson number with this mean. */
  poisson(mean: number): number;
  /** A standard normal number. */
  normal(): number;
  /** A waiting time for events of this rate. */
  exponential(rate: number): number;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  // Mulberry32: 32 bits of state are plenty for invented worlds.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x = (x + Math.imul(x ^ (x >>> 7), x | 61)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    pick: (choices) => must(choices[integer(0, choices.length - 1)], "something to choose from"),
    shuffled: (list) =>
      list
        .map((one) => ({ one, at: next() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ one }) => one),
    pareto: (alpha) => (1 - next()) ** (-1 / alpha),
    poisson(mean) {
      // Sums waiting times instead of multiplying, so that a large mean does not underflow.
      let events = 0;
      for (let time = -Math.log(1 - next()); time < mean; time -= Math.log(1 - next())) events += 1;
      return events;
    },
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    exponential: (rate) => -Math.log(1 - next()) / rate,
  };
}
