import type { Context } from "hono";
import { isDay } from "../../../lib/calendar.ts";
import { Field } from "./frame.tsx";
import type { OpsPage } from "./ops-page.ts";

/** A field that narrows a list down: a choice if there are options, with their names, otherwise a text. */
interface FilterField {
  label: string;
  options?: Readonly<Record<string, string>>;
  type?: "date";
}

type Fields = Readonly<Record<string, FilterField>>;
type Asked<T extends Fields> = {
  [Name in keyof T]: (T[Name] extends { options: infer O } ? keyof O & string : string) | undefined;
};

/** What the address asks for. Empty texts, unknown options and what is no day ask for nothing. */
export function readFilter<const T extends Fields>(c: Context, fields: T): Asked<T> {
  const asked = Object.entries<FilterField>(fields).map(([name, { options, type }]) => {
    const text = filterText(c.req.query(name)) ?? "";
    const isKnown = (!options || Object.hasOwn(options, text)) && (type !== "date" || isDay(text));
    return [name, isKnown && text !== "" ? text : undefined];
  });
  // Safe: texts of fields with options are one of them.
  return Object.fromEntries(asked) as Asked<T>;
}

interface FiltersProps<T extends Fields> {
  page: OpsPage;
  path: string;
  fields: T;
  asked: Asked<T>;
  /** Parameters of the page; those of its other parts stay as they are. */
  query?: Query;
}

/** A form that shows the same list narrowed down; works without scripts. */
export function Filters<T extends Fields>(props: FiltersProps<T>) {
  const { page, path, fields, asked, query = {} } = props;
  const { all, show, reset } = page.o.filters;
  const others = Object.entries(query).filter(
    ([name, value]) => value !== undefined && !Object.hasOwn(fields, name),
  );
  return (
    <form method="get" action={path} class="filters" role="search">
      {Object.entries<FilterField>(fields).map(([name, { options, ...field }]) => {
        const value = asked[name];
        if (!options) return <Field {...field} name={name} value={value} maxlength={200} />;
        return (
          <label>
            <span>{field.label}</span>
            <select name={name}>
              {Object.entries({ "": all, ...options }).map(([option, text]) => (
                <option value={option} selected={option === (value ?? "")}>
                  {text}
                </option>
              ))}
            </select>
          </label>
        );
      })}
      {others.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button class="plain small">{show}</button>
      {Object.values(asked).some((value) => value !== undefined) && (
        <a href={toAddress(path, Object.fromEntries(others))}>{reset}</a>
      )}
    </form>
  );
}

export type Query = Readonly<Record<string, string | number | undefined>>;

/** The address of a list with these filters; empty ones are left out. */
export function toAddress(path: string, query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

interface NextPageProps {
  page: OpsPage;
  path: string;
  /** The filters, which stay the same. */
  query?: Query;
  /** The parameter that tells where a page begins, and where the next one does; null: this is the last. */
  name: string;
  at: string | number | null;
}
export function NextPage({ page, path, query, name, at }: NextPageProps) {
  if (at === null) return null;
  return (
    <p>
      <a href={toAddress(path, { ...query, [name]: at })}>{page.o.filters.next}</a>
    </p>
  );
}

/** One of the known values, or undefined for any other text. */
export function oneOf<T extends string>(known: readonly T[], text: string | undefined) {
  return known.find((one) => one === text);
}

/** A filter's text as asked for; undefined if it is empty. */
export function filterText(text: string | undefined): string | undefined {
  const trimmed = (text ?? "").trim().slice(0, 200).toWellFormed().replaceAll("\0", "");
  return trimmed === "" ? undefined : trimmed;
}

/** The id after which a page begins; undefined at the beginning. */
export function toCursor(text: string | undefined): number | undefined {
  return /^\d{1,15}$/.test(text ?? "") ? Number(text) : undefined;
}
