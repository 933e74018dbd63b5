import { Field } from "./frame.tsx";
import type { OpsPage } from "./ops-page.ts";

interface Filter {
  name: string;
  label: string;
  value: string | undefined;
  /** The values to choose from, with their names; without them it is a field to fill in. */
  options?: Readonly<Record<string, string>>;
  type?: "date";
}

/** A form that shows the same list narrowed down; works without scripts. */
export function Filters(props: { page: OpsPage; path: string; filters: readonly Filter[] }) {
  const { page, path, filters } = props;
  const { all, show, reset } = page.o.filters;
  return (
    <form method="get" action={path} class="filters" role="search">
      {filters.map(({ options, ...field }) =>
        options ? (
          <label>
            <span>{field.label}</span>
            <select name={field.name}>
              {Object.entries({ "": all, ...options }).map(([option, text]) => (
                <option value={option} selected={option === (field.value ?? "")}>
                  {text}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <Field {...field} maxlength={200} />
        ),
      )}
      <button class="plain small">{show}</button>
      <a href={path}>{reset}</a>
    </form>
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

/** The link to the next page, with the same filters. `query` is null on the last one. */
export function NextPage(props: { page: OpsPage; path: string; query: Query | null }) {
  const { page, path, query } = props;
  if (query === null) return null;
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
