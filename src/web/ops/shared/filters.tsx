import type { Child } from "hono/jsx";
import type { OpsPage } from "./ops-page.ts";

/** A form that shows the same list narrowed down; works without scripts. */
export function Filters(props: { page: OpsPage; path: string; children: Child }) {
  const { page, path, children } = props;
  return (
    <form method="get" action={path} class="filters" role="search">
      {children}
      <button class="plain small">{page.o.filters.show}</button>
      <a href={path}>{page.o.filters.reset}</a>
    </form>
  );
}

interface SelectProps {
  page: OpsPage;
  name: string;
  label: string;
  options: Readonly<Record<string, string>>;
  chosen: string | undefined;
}

export function Select({ page, name, label, options, chosen = "" }: SelectProps) {
  return (
    <label>
      <span>{label}</span>
      <select name={name}>
        {Object.entries({ "": page.o.filters.all, ...options }).map(([value, text]) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface FieldProps {
  name: string;
  label: string;
  value: string | undefined;
  type?: "text" | "date";
}

export function Field({ name, label, value = "", type = "text" }: FieldProps) {
  return (
    <label>
      <span>{label}</span>
      <input name={name} type={type} value={value} maxlength={200} autocomplete="off" />
    </label>
  );
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** The address of a list with these filters; empty ones are left out. */
export function toAddress(path: string, query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/** The link to the next page, with the same filters. */
export function NextPage(props: { page: OpsPage; path: string; query: Query; isLast: boolean }) {
  const { page, path, query, isLast } = props;
  if (isLast) return null;
  return (
    <p>
      <a href={toAddress(path, query)}>{page.o.filters.next}</a>
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
