import type { ZodError } from "zod";
import { newSavedSearch, type NewSavedSearch } from "../../api/alerts/saved-search-schema.ts";
import type { ApiContext } from "../../api/http/deps.ts";
import { Problem, type ParameterFault } from "../../api/http/problems/problem.ts";
import { plainPrice } from "../shared/format.ts";
import { unstorableIn } from "../../api/http/route.ts";

const lists = new Set(["shop_id", "exclude_shop_id", "category", "gtin"]);
const prefix = "query.";

export type Form = Readonly<Record<string, unknown>>;

/** The texts of a field, which may be there several times. */
export function textsOf(form: Form, name: string): string[] {
  return [form[name]].flat().filter((value): value is string => typeof value === "string");
}

/** What the form of `TellMe` watches. */
export function watchedIn(form: Form): { parameter: string; given: string[] }[] {
  return Object.keys(form)
    .filter((name) => name.startsWith(prefix))
    .map((name) => ({ parameter: name.slice(prefix.length), given: textsOf(form, name) }));
}

/** The fields of a form, repeated ones as lists. Throws 400 for a body that is none. */
export async function readFields(c: ApiContext): Promise<Form> {
  try {
    return await c.req.parseBody({ all: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Problem({ status: 400, code: "malformed_form", detail: "the body is not a form" });
  }
}

/** Percent and windows are the usual ones; who wants others has the API. */
function toRule(kind: string, price: string): Record<string, unknown> {
  if (kind === "price_below") return { kind, price: Number(plainPrice(price) || Number.NaN) };
  if (kind === "price_drop") return { kind, percent: 10 };
  return kind === "new_low" ? { kind, window: "90d" } : { kind };
}

export type ReadForm = { faults: null; wanted: NewSavedSearch } | { faults: ParameterFault[] };

/** Reads the form of `TellMe` by the schema of `POST /v1/saved-searches`. */
export function readForm(form: Form): ReadForm {
  const query = Object.fromEntries(
    watchedIn(form).map(({ parameter, given }) => [
      parameter,
      lists.has(parameter) ? given : (given[0] ?? ""),
    ]),
  );
  const [price = ""] = textsOf(form, "price");
  const [name = ""] = textsOf(form, "name");
  const parsed = newSavedSearch.safeParse({
    name,
    query,
    rules: textsOf(form, "rule").map((kind) => toRule(kind, price)),
  });
  if (parsed.success) {
    const faults = unstorableIn(parsed.data);
    return faults.length > 0 ? { faults } : { faults: null, wanted: parsed.data };
  }
  return { faults: toFaults(parsed.error) };
}

/** By the names of fields; `form`: the fault is none of one field. */
export function toFaults({ issues }: ZodError): ParameterFault[] {
  return issues.map(({ path, message }) => ({
    parameter: path.filter((part) => typeof part === "string").join(".") || "form",
    message,
  }));
}
