import type { Child } from "hono/jsx";
import { Chart, Columns, Rows, type ChartShape, type Tick } from "../../shared/chart/chart.tsx";
import { px, scaleLinear, ticksAround } from "../../shared/chart/axes.ts";

export interface ChartPoint {
  x: number;
  y: number;
}

interface Series {
  name: string;
  /** The style; the style sheet has one class for each. */
  look: "actual" | "pace" | "forecast";
  points: readonly ChartPoint[];
}

interface Axis {
  min: number;
  max: number;
  ticks: readonly Tick[];
}

/** An axis from 0% to 100%. */
export const shareAxis: Axis = {
  min: 0,
  max: 1,
  ticks: [0, 0.25, 0.5, 0.75, 1].map((value) => ({ value, text: `${value * 100}%` })),
};

/** An axis from 0 to `most` or the next tick. */
export function countAxis(most: number, write: (count: number) => string): Axis {
  const ticks = ticksAround(0, most, 4);
  return {
    min: 0,
    max: ticks.at(-1) ?? most,
    ticks: ticks.map((value) => ({ value, text: write(value) })),
  };
}

/** An axis of steps, of which at most four have their labels: the first, the last and some between them. */
export function stepAxis(labels: readonly string[]): Axis {
  const last = labels.length - 1;
  const spaces = Math.min(3, last);
  const ticks = Array.from({ length: spaces + 1 }, (_, i) =>
    Math.round((i * last) / (spaces || 1)),
  );
  return {
    min: 0,
    max: Math.max(1, last),
    ticks: ticks.map((value) => ({ value, text: labels[value] ?? "" })),
  };
}

interface LineChartProps {
  id: string;
  title: string;
  description: string;
  x: Axis;
  y: Axis;
  series: readonly Series[];
  /** The present position on the x axis. */
  dot?: ChartPoint;
  /** The same figures as a table, for people who cannot see the picture. */
  children: Child;
  asTable: string;
}

const shapes: readonly ChartShape[] = [
  { name: "wide", width: 600, height: 260 },
  { name: "narrow", width: 320, height: 240 },
];
const left = 50;
const right = 14;
const top = 14;
const bottom = 34;

/** A line chart, drawn on the server, with a legend and the same figures as a table. */
export function LineChart(props: LineChartProps) {
  const { series } = props;
  return (
    <figure class="line-figure">
      {shapes.map((shape) => (
        <Drawing {...props} shape={shape} />
      ))}
      {series.length > 1 && (
        <ul class="legend">
          {series.map(({ name, look }) => (
            <li>
              <span class={`key ${look}`} aria-hidden="true" />
              {name}
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>{props.asTable}</summary>
        <div class="wide" tabindex={0} role="group" aria-label={props.title}>
          {props.children}
        </div>
      </details>
    </figure>
  );
}

function Drawing({ shape, ...props }: LineChartProps & { shape: ChartShape }) {
  const { x, y, series, dot } = props;
  const ground = shape.height - bottom;
  const toX = scaleLinear([x.min, x.max], [left, shape.width - right]);
  const toY = scaleLinear([y.min, y.max], [ground, top]);
  const path = (points: readonly ChartPoint[]) =>
    points.map((p, i) => `${i === 0 ? "M" : "L"}${px(toX(p.x))} ${px(toY(p.y))}`).join("");
  const area = (points: readonly ChartPoint[]) =>
    `${path(points)}V${ground}H${px(toX(points[0]?.x ?? x.min))}Z`;
  return (
    <Chart id={props.id} title={props.title} description={props.description} shape={shape}>
      <Rows ticks={y.ticks} y={toY} from={left} to={shape.width - right} />
      <Columns ticks={x.ticks} x={toX} y={shape.height - 10} />
      {series.map(({ look, points }) => (
        <>
          {look === "actual" && <path class="area" d={area(points)} />}
          <path class={`line ${look}`} d={path(points)} />
        </>
      ))}
      {dot && <circle class="dot" cx={px(toX(dot.x))} cy={px(toY(dot.y))} r="5" />}
    </Chart>
  );
}
