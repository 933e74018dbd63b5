import type { Context } from "hono";
import { oneOf, toAddress, type Query } from "./filters.tsx";
import type { OpsPage } from "./ops-page.ts";

/** Days back from today that charts and tables of days can show. */
export const dayRanges = { fortnight: 14, month: 30, quarter: 90 } as const;
export type DayRange = keyof typeof dayRanges;

const all: readonly DayRange[] = ["fortnight", "month", "quarter"];

export function readDayRange(c: Context): DayRange {
  return oneOf(all, c.req.query("range")) ?? "fortnight";
}

interface ChoicesProps {
  path: string;
  /** Parameters that stay as they are. */
  query?: Query;
  /** The parameter of the address that keeps what is chosen. */
  name: string;
  label: string;
  /** The values with their texts, in order. An empty value leaves the parameter out. */
  texts: Readonly<Record<string, string>>;
  chosen: string;
}
export function Choices({ path, query, name, label, texts, chosen }: ChoicesProps) {
  return (
    <nav class="choices" aria-label={label}>
      {Object.entries(texts).map(([value, text]) => (
        <a
          href={toAddress(path, { ...query, [name]: value })}
          aria-current={value === chosen ? "page" : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  );
}

/** The days of a chart or a table, whose title is `of`. */
export function DayRangeNav(props: { page: OpsPage; path: string; of: string; chosen: DayRange }) {
  const { page, of, ...nav } = props;
  const { label, names } = page.o.ranges;
  return <Choices {...nav} name="range" label={`${of}: ${label}`} texts={names} />;
}
