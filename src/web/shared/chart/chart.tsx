import type { Child } from "hono/jsx";
import { dayMs } from "../../../lib/calendar.ts";
import type { Language } from "../../../lib/languages.ts";
import { date } from "../format.ts";
import type { Scale } from "./axes.ts";

/** Every chart has two sizes, of which the style sheet shows one, because text must not scale with the screen. */
export interface ChartShape {
  name: "wide" | "narrow";
  width: number;
  height: number;
}

export const chartShapes: readonly ChartShape[] = [
  { name: "wide", width: 960, height: 300 },
  { name: "narrow", width: 340, height: 300 },
];

interface ChartProps {
  /** Unique on its page. */
  id: string;
  title: string;
  description: string;
  shape: ChartShape;
  children: Child;
}

/** A chart with a description for screen readers. A table is always shown beside it. */
export function Chart({ id, title, description, shape, children }: ChartProps) {
  const ids = { title: `${id}-${shape.name}-title`, desc: `${id}-${shape.name}-desc` };
  return (
    <svg
      class={`chart ${shape.name}`}
      viewBox={`0 0 ${shape.width} ${shape.height}`}
      role="img"
      aria-labelledby={`${ids.title} ${ids.desc}`}
    >
      <title id={ids.title}>{title}</title>
      <desc id={ids.desc}>{description}</desc>
      {children}
    </svg>
  );
}

/** A value of an axis and its label. */
export interface Tick {
  value: number;
  text: string;
}

const narrowest = 66;

/** Where the lines of `Rows` begin, so that their values have room at 12 px, also in a wide font. */
export function leftOf(ticks: readonly Pick<Tick, "text">[]): number {
  const widths = ticks.map(({ text }) =>
    Array.from(text).reduce((sum, char) => sum + (/[.,]/.test(char) ? 4 : 7.2), 10),
  );
  return Math.ceil(Math.max(narrowest, ...widths));
}

/** Horizontal lines with their values at the left. */
export function Rows(props: { ticks: readonly Tick[]; y: Scale; from: number; to: number }) {
  const { ticks, y, from, to } = props;
  return (
    <g class="rows">
      {ticks.map(({ value, text }) => (
        <>
          <line x1={from} x2={to} y1={y(value)} y2={y(value)} />
          <text x={from - 8} y={y(value) + 4} text-anchor="end">
            {text}
          </text>
        </>
      ))}
    </g>
  );
}

/** The labels below the chart, from left to right. */
export function Columns({ ticks, x, y }: { ticks: readonly Tick[]; x: Scale; y: number }) {
  return (
    <g class="columns">
      {ticks.map(({ value, text }, index) => (
        <text
          x={x(value)}
          y={y}
          text-anchor={index === 0 ? "start" : index === ticks.length - 1 ? "end" : "middle"}
        >
          {text}
        </text>
      ))}
    </g>
  );
}

const shares = { wide: [0, 0.2, 0.4, 0.6, 0.8, 1], narrow: [0, 0.5, 1] };

interface TimeAxis {
  /** Unix milliseconds. */
  from: number;
  to: number;
  shape: ChartShape;
  lang: Language;
}

/** Days, times of a short period, or months of a long one; each label once. */
export function timeTicks({ from, to, shape, lang }: TimeAxis): Tick[] {
  const days = (to - from) / dayMs;
  const form = days < 2 ? "tickTime" : days < 330 ? "tick" : "tickMonth";
  const ticks = shares[shape.name].map((share) => {
    const value = from + share * (to - from);
    return { value, text: date(new Date(value), form, lang) };
  });
  return ticks.filter(({ text }, i) => i === 0 || text !== ticks[i - 1]?.text);
}
