import { date } from "../format.ts";
import type { Language } from "../language.ts";
import type { ChartShape, Tick } from "./chart.tsx";
import type { Scale } from "./scale.ts";

const dayMs = 86_400_000;
const shares = { wide: [0, 0.2, 0.4, 0.6, 0.8, 1], narrow: [0, 0.5, 1] };

interface TimeAxis {
  /** Unix milliseconds. */
  from: number;
  to: number;
  x: Scale;
  shape: ChartShape;
  lang: Language;
}

/** Days, times of a short period, or months of a long one; each label once. */
export function timeTicks({ from, to, x, shape, lang }: TimeAxis): Tick[] {
  const days = (to - from) / dayMs;
  const form = days < 2 ? "tickTime" : days < 330 ? "tick" : "tickMonth";
  const ticks = shares[shape.name].map((share) => {
    const moment = from + share * (to - from);
    return { at: x(moment), text: date(new Date(moment), form, lang) };
  });
  return ticks.filter(({ text }, i) => i === 0 || text !== ticks[i - 1]?.text);
}
