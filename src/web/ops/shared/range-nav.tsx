import type { Context } from "hono";
import { oneOf, toAddress } from "./filters.tsx";
import { nameOf, type OpsPage } from "./ops-page.ts";

/** Days back from today that charts and tables of days can show. */
export const dayRanges = { fortnight: 14, month: 30, quarter: 90 } as const;
export type DayRange = keyof typeof dayRanges;

const all: readonly DayRange[] = ["fortnight", "month", "quarter"];

export function readDayRange(c: Context): DayRange {
  return oneOf(all, c.req.query("range")) ?? "fortnight";
}

interface RangeNavProps {
  path: string;
  label: string;
  /** The ranges with their names, in order. */
  names: Readonly<Record<string, string>>;
  chosen: string;
}

/** Links to the same page with another time range, which the address keeps. */
export function RangeNav({ path, label, names, chosen }: RangeNavProps) {
  return (
    <nav class="choices" aria-label={label}>
      {Object.keys(names).map((range) => (
        <a href={toAddress(path, { range })} aria-current={range === chosen ? "page" : undefined}>
          {nameOf(names, range)}
        </a>
      ))}
    </nav>
  );
}

/** The days of a chart or a table, whose title is `of`. */
export function DayRangeNav(props: { page: OpsPage; path: string; of: string; chosen: DayRange }) {
  const { page, of, ...nav } = props;
  const { label, names } = page.o.ranges;
  return <RangeNav {...nav} label={`${of}: ${label}`} names={names} />;
}
