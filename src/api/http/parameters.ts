import { z } from "@hono/zod-openapi";
import { gtinFault, readGtin14 } from "../../catalog/gtin.ts";

/** A parameter given several times arrives as an array. */
function once(expected: string) {
  return z.string({
    error: ({ input }) =>
      input === undefined
        ? "must be given"
        : Array.isArray(input)
          ? "may be given only once"
          : expected,
  });
}

/** A transform of a text to what `read` makes of it; null: it can make nothing of it. */
function reading<T>(expected: string, read: (text: string) => T | null) {
  return (text: string, ctx: z.RefinementCtx) => {
    const value = read(text);
    if (value !== null) return value;
    ctx.addIssue(expected);
    return z.NEVER;
  };
}

function readParam<T>(expected: string, read: (text: string) => T | null) {
  return once(expected).transform(reading(expected, read));
}

export function integerParam(min: number, max: number) {
  return readParam(`must be a whole number from ${min} to ${max}`, (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : null;
  }).openapi({ type: "integer", minimum: min, maximum: max });
}
export function bodyInteger(min: number, max: number) {
  const expected = `must be a whole number from ${min} to ${max}`;
  return z.int(expected).min(min, expected).max(max, expected);
}
export function bodyNumber(min: number, max: number) {
  const expected = `must be a number from ${min} to ${max}`;
  return z.number(expected).min(min, expected).max(max, expected);
}

/** A parameter that stands for `usual` where it is left out, which its description tells. */
export function orElse<T extends z.ZodType>(
  param: T,
  usual: z.core.util.NoUndefined<z.output<T>>,
  described: { description?: string; example?: string } = {},
) {
  return param.default(usual).openapi({ default: usual, ...described });
}

/** How many items a page has at most. */
export function limitParam(most: number, usual: number) {
  return orElse(integerParam(1, most), usual);
}

/** Where a list by ascending ids goes on: after this id. */
export function afterParam() {
  return orElse(integerParam(0, Number.MAX_SAFE_INTEGER), 0);
}

export function booleanParam() {
  return readParam("must be true or false", (text) =>
    text === "true" || text === "false" ? text === "true" : null,
  ).openapi({ type: "boolean" });
}

export function choiceParam<const T extends string>(values: readonly T[]) {
  return readParam(
    `must be one of: ${values.join(", ")}`,
    (text) => values.find((value) => value === text) ?? null,
  ).openapi({ type: "string", enum: [...values] });
}

export function textParam(maxChars: number) {
  const expected = `must have at most ${maxChars} characters`;
  return once(expected)
    .refine((text) => Array.from(text).length <= maxChars, expected)
    .openapi({ type: "string", maxLength: maxChars });
}

/** A position in a list as an earlier answer wrote it. */
export function cursorParam<T>(
  maxChars: number,
  read: (text: string) => T | null,
  expected = "must be `next` of an earlier answer",
) {
  return textParam(maxChars).transform(reading(expected, read)).openapi({ type: "string" });
}

/** A short name without spaces, which can be stored and counted by. */
export function labelParam() {
  const expected = "must be 1 to 32 letters (a-z), digits, dots, dashes or underscores";
  return once(expected)
    .regex(/^[A-Za-z0-9_.-]{1,32}$/, expected)
    .openapi({ type: "string", pattern: "^[A-Za-z0-9_.-]{1,32}$" });
}

const instant = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);
const firstMs = Date.parse("0001-01-01T00:00:00Z");
const lastMs = Date.parse("9999-12-31T23:59:59.999Z");

/** Whether a date or time is in the years 1 to 9999 of UTC, which Postgres reads; true for other texts. */
export function isInYears(text: string): boolean {
  const ms = Date.parse(text);
  return !(ms < firstMs || ms > lastMs);
}

/** A date or a date and time with an offset, by ISO 8601. `what` describes it. */
export function instantParam(what: string) {
  return readParam(
    "must be an ISO 8601 date or a time with its offset (in an address, + is %2B), such as 2026-01-31 or 2026-01-31T09:00:00Z",
    (text) => (instant.safeParse(text).success && isInYears(text) ? new Date(text) : null),
  ).openapi({
    type: "string",
    format: "date-time",
    description: `${what}. A date without a time is its midnight in UTC`,
  });
}

const maxValues = 50;

interface Repeated {
  description: string;
  example?: string[];
  /** Whether commas separate values too. */
  commas?: boolean;
}

/** May be repeated; `one` reads each value, which `items` describes. An empty list if absent. */
export function repeatedParam<T>(
  one: z.ZodType<T, string>,
  items: { enum?: string[]; maxLength?: number },
  { commas = false, ...described }: Repeated,
) {
  return z
    .union([z.string(), z.array(z.string())])
    .optional()
    .transform((given, ctx) => {
      const texts = given === undefined ? [] : [given].flat();
      const values = commas ? texts.flatMap((text) => text.split(",")) : texts;
      if (values.length > maxValues) ctx.addIssue(`may be given at most ${maxValues} times`);
      return values.slice(0, maxValues).flatMap((text) => {
        const parsed = one.safeParse(text);
        if (parsed.success) return [parsed.data];
        for (const issue of parsed.error.issues) ctx.addIssue(issue.message);
        return [];
      });
    })
    .openapi({
      type: "array",
      items: { type: "string", ...items },
      ...(commas ? {} : { maxItems: maxValues }),
      ...described,
    });
}

export function repeatedChoice<const T extends string>(values: readonly T[], how: Repeated) {
  return repeatedParam(choiceParam(values), { enum: [...values] }, how);
}

/** An upstream id: 1 to 2^53 - 1. */
export function idParam() {
  return integerParam(1, Number.MAX_SAFE_INTEGER).openapi({ example: 100003 });
}

/** A transform of a JAN, EAN, UPC or GTIN to its GTIN-14. */
export function asGtin14(text: string, ctx: z.RefinementCtx): string {
  const gtin14 = readGtin14(text);
  if (gtin14 !== null) return gtin14;
  ctx.addIssue(`is not a GTIN: ${gtinFault(text) ?? "unreadable"}`);
  return z.NEVER;
}

export function gtinParam() {
  return textParam(20).transform(asGtin14).openapi({ type: "string", example: "4901234567894" });
}

/** A text in a body: trimmed, not empty, storable. */
export function bodyText(maxChars: number) {
  const expected = `must be a text of 1 to ${maxChars} characters without control characters`;
  return z
    .string(expected)
    .trim()
    .refine(
      (text) =>
        text !== "" &&
        Array.from(text).length <= maxChars &&
        text.isWellFormed() &&
        !/\p{Cc}/u.test(text),
      expected,
    )
    .openapi({ minLength: 1, maxLength: maxChars });
}
export function bodyId() {
  return bodyInteger(1, Number.MAX_SAFE_INTEGER);
}

/** For `superRefine`: judges a rule about these parameters whatever faults others have, unless one of these has one. */
export function ruleOf(...names: readonly string[]): z.core.$ZodSuperRefineParams {
  return { when: ({ issues }) => !issues.some(({ path }) => names.includes(String(path?.[0]))) };
}

/** For `superRefine`: how far pages lead. */
export function depthRule(maxDepth: number, message: string) {
  const rule = (
    { page, per_page: perPage }: { page: number; per_page: number },
    ctx: z.RefinementCtx,
  ) => {
    if (page * perPage > maxDepth) ctx.addIssue({ code: "custom", path: ["page"], message });
  };
  return [rule, ruleOf("page", "per_page")] as const;
}
