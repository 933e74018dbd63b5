import { z } from "zod";
import { ApiError } from "../api-errors.ts";

export interface Parameter<T extends z.ZodType = z.ZodType> {
  /** Reads the text of the parameter; optional when the parameter is. */
  schema: T;
  about: string;
  /** Whether the specification shows it, or we chose it. */
  status: "specified" | "assumed";
  /** A `list` is sent as `name[0]`, `name[1]`, … and read as an array with holes for missing numbers. */
  place: "path" | "call" | "list";
}

export type Parameters = Record<string, Parameter>;
export type Input<P extends Parameters> = { [K in keyof P]: z.output<P[K]["schema"]> };

const parameterOf =
  (status: Parameter["status"], place: Parameter["place"]) =>
  <T extends z.ZodType>(schema: T, about: string): Parameter<T> => ({
    schema,
    about,
    status,
    place,
  });

export const specified = parameterOf("specified", "call");
export const assumed = parameterOf("assumed", "call");
/** A segment of the path, as the specification writes it. */
export const inPath = parameterOf("specified", "path");
export const assumedList = parameterOf("assumed", "list");

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

/** Parameters as they arrive: from the query or the form, and from the path. */
export interface Sent {
  call: URLSearchParams;
  path: Readonly<Record<string, string>>;
}

/**
 * Throws `bad_params` with the first wrong parameter, also for a single value that is sent twice. Ignores
 * unknown parameters.
 */
export function readParameters<P extends Parameters>(parameters: P, sent: Sent): Input<P> {
  const read: Record<string, unknown> = {};
  for (const [name, { schema, place }] of Object.entries(parameters)) {
    const values = {
      path: () => [sent.path[name]],
      call: () => sent.call.getAll(name),
      list: () => [listOf(sent.call, name)],
    }[place]();
    const result = schema.safeParse(values[0]);
    if (values.length > 1 || !result.success) throw refusal(name);
    read[name] = result.data;
  }
  // Safe: every key of P was just read by the schema from which its type is inferred.
  return read as Input<P>;
}

const mostListed = 100;

/** The values of `name[0]`, `name[1]`, …; null for a number out of bounds. */
function listOf(sent: URLSearchParams, name: string): string[] | null {
  const values: string[] = [];
  for (const [key, value] of sent) {
    if (!key.startsWith(`${name}[`)) continue;
    const index = /^\[(\d{1,2})\]$/.exec(key.slice(name.length))?.[1];
    if (index === undefined || Number(index) >= mostListed) return null;
    values[Number(index)] = value;
  }
  return Array.from(values, (value) => value ?? "");
}

export function refusal(name: string): ApiError {
  return new ApiError("bad_params", `パラメータ「${name}」が正しくありません。`);
}
