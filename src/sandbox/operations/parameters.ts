import { z } from "zod";
import { ApiError } from "../api-errors.ts";

/** Whether the specification shows it, or we chose it. */
export type Status = "specified" | "assumed";

export interface Parameter<T extends z.ZodType = z.ZodType> {
  /** Reads the text of the parameter; optional when the parameter is. */
  schema: T;
  about: string;
  status: Status;
  place: "path" | "call";
  /** Sent as `name[0]`, `name[1]`, … and read as an array with holes for missing numbers. */
  isList: boolean;
}

export type Parameters = Record<string, Parameter>;
export type Input<P extends Parameters> = { [K in keyof P]: z.output<P[K]["schema"]> };

export const specified = <T extends z.ZodType>(schema: T, about: string): Parameter<T> => ({
  schema,
  about,
  status: "specified",
  place: "call",
  isList: false,
});

export const assumed = <T extends z.ZodType>(schema: T, about: string): Parameter<T> => ({
  ...specified(schema, about),
  status: "assumed",
});

/** A segment of the path, as the specification writes it. */
export const inPath = <T extends z.ZodType>(schema: T, about: string): Parameter<T> => ({
  ...specified(schema, about),
  place: "path",
});

export const assumedList = <T extends z.ZodType<string[]>>(
  schema: T,
  about: string,
): Parameter<T> => ({ ...assumed(schema, about), isList: true });

/** A whole number as a query or form writes it. */
export function whole(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,16}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max));
}

export const id = whole(1, Number.MAX_SAFE_INTEGER);

/** A text that is valid in Postgres, JSON and a page. */
export function written(min: number, max: number) {
  return z
    .string()
    .min(min)
    .max(max)
    .refine((text) => text.isWellFormed() && !text.includes("\0"));
}

const MOST_LISTED = 100;

/** Parameters as they arrive: from the query, or from the form. */
export class RawParameters {
  readonly #sent: URLSearchParams;
  readonly #path: Readonly<Record<string, string>>;

  constructor(sent: URLSearchParams, path: Readonly<Record<string, string>>) {
    this.#sent = sent;
    this.#path = path;
  }

  /** Throws `bad_params` for a single value that is sent twice. */
  text(name: string, place: Parameter["place"]): string | undefined {
    if (place === "path") return this.#path[name];
    const values = this.#sent.getAll(name);
    if (values.length > 1) throw refusal(name);
    return values[0];
  }

  /** The values of `name[0]`, `name[1]`, …; null for a number out of bounds. */
  list(name: string): string[] | null {
    const values: string[] = [];
    for (const [key, value] of this.#sent) {
      if (!key.startsWith(`${name}[`)) continue;
      const index = /^\[(\d{1,2})\]$/.exec(key.slice(name.length))?.[1];
      if (index === undefined || Number(index) >= MOST_LISTED) return null;
      values[Number(index)] = value;
    }
    return Array.from(values, (value) => value ?? "");
  }
}

/** Throws `bad_params` with the first wrong parameter. Ignores unknown parameters. */
export function readParameters<P extends Parameters>(parameters: P, raw: RawParameters): Input<P> {
  const read: Record<string, unknown> = {};
  for (const [name, { schema, place, isList }] of Object.entries(parameters)) {
    const result = schema.safeParse(isList ? raw.list(name) : raw.text(name, place));
    if (!result.success) throw refusal(name);
    read[name] = result.data;
  }
  // Safe: every key of P was just read by the schema from which its type is inferred.
  return read as Input<P>;
}

/** Removes absent parameters. */
export function given<T extends Record<string, unknown>>(fields: T) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

export function refusal(name: string): ApiError {
  return new ApiError("bad_params", `パラメータ「${name}」が正しくありません。`);
}
