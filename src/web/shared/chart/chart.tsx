import type { Child } from "hono/jsx";

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

export interface Tick {
  at: number;
  text: string;
}

const narrowest = 66;

/** Where the lines of `Rows` begin, so that their values have room at 12 px, also in a wide font. */
export function leftOf(ticks: readonly { text: string }[]): number {
  const widths = ticks.map(({ text }) =>
    Array.from(text).reduce((sum, char) => sum + (/[.,]/.test(char) ? 4 : 7.2), 10),
  );
  return Math.ceil(Math.max(narrowest, ...widths));
}

/** Horizontal lines with their values at the left. */
export function Rows(props: { ticks: readonly Tick[]; from: number; to: number }) {
  return (
    <g class="rows">
      {props.ticks.map(({ at, text }) => (
        <>
          <line x1={props.from} x2={props.to} y1={at} y2={at} />
          <text x={props.from - 8} y={at + 4} text-anchor="end">
            {text}
          </text>
        </>
      ))}
    </g>
  );
}

/** The labels below the chart, from left to right. */
export function Columns(props: { ticks: readonly Tick[]; y: number }) {
  return (
    <g class="columns">
      {props.ticks.map(({ at, text }, index) => (
        <text
          x={at}
          y={props.y}
          text-anchor={index === 0 ? "start" : index === props.ticks.length - 1 ? "end" : "middle"}
        >
          {text}
        </text>
      ))}
    </g>
  );
}
