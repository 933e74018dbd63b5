/** Seeded randomness: the same seed gives the same world on every machine. */
export interface Random {
  /** Uniform in [0, 1). */
  uniform(): number;
  normal(): number;
  /** A waiting time for events of this rate. */
  exponential(rate: number): number;
  below(n: number): number;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    uniform,
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
    exponential: (rate) => -Math.log(1 - uniform()) / rate,
    below: (n) => Math.floor(uniform() * n),
  };
}
