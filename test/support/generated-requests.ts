import fc from "fast-check";
import type { JsonSchema, OpenApi, Operation, Parameter } from "./openapi.ts";

export interface GeneratedRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

type Value = fc.Arbitrary<unknown>;

/** What parameters get that nobody would expect. */
export const nasty = fc.oneof(
  fc.constantFrom(..."|-1|0|1e3|0x10|NaN|null|true|[]|{}|'|%|..|*|a,b|\0|\uFFFF|😀|١".split("|")),
  fc.constantFrom("9".repeat(30), "革".repeat(300), "a b".repeat(2000), "2026-13-45", "__proto__"),
  fc.string({ unit: "binary", maxLength: 12 }),
);

/** Requests of every route of the description: what it allows, and what it forbids. */
export function createRequests(document: OpenApi) {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );

  function resolve(given: JsonSchema): JsonSchema {
    if (typeof given.$ref !== "string") return given;
    const schema = document.components.schemas[given.$ref.split("/").at(-1) ?? ""];
    if (!schema) throw new Error(`${given.$ref} is not described`);
    return resolve(schema);
  }

  function valueOf(given: JsonSchema): Value {
    const schema = resolve(given);
    const { example } = schema;
    const drawn = drawOf(schema);
    return example === undefined ? drawn : fc.oneof(drawn, fc.constant(example));
  }

  function drawOf(schema: JsonSchema): Value {
    const { enum: choices, anyOf, oneOf, allOf, type } = schema;
    if (Array.isArray(choices)) return fc.constantFrom(...(choices as unknown[]));
    const options = (anyOf ?? oneOf) as JsonSchema[] | undefined;
    if (options) return fc.oneof(...options.map(valueOf));
    if (allOf) {
      const parts = (allOf as JsonSchema[]).map(valueOf);
      return fc.tuple(...parts).map((drawn) => Object.assign({}, ...drawn) as unknown);
    }
    return fc.oneof(...[type].flat().map((one) => ofType(one, schema)));
  }

  function ofType(type: unknown, schema: JsonSchema): Value {
    const bound = (name: string, otherwise: number) => Number(schema[name] ?? otherwise);
    switch (type) {
      case "integer": {
        const [min, max] = [bound("minimum", -9), bound("maximum", Number.MAX_SAFE_INTEGER)];
        const near = fc.integer({ min, max: Math.min(max, min + 30) });
        return fc.oneof(
          near,
          near,
          fc.maxSafeInteger().filter((n) => n >= min && n <= max),
        );
      }
      case "number":
        return fc.double({ min: bound("minimum", -9), max: bound("maximum", 1e9), noNaN: true });
      case "boolean":
        return fc.boolean();
      case "string":
        return schema.format === "date-time"
          ? fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => date.toISOString())
          : fc.string({
              unit: "grapheme",
              minLength: bound("minLength", 0),
              maxLength: Math.min(8, bound("maxLength", 8)),
            });
      case "array":
        return fc.array(valueOf((schema.items ?? {}) as JsonSchema), {
          minLength: bound("minItems", 0),
          maxLength: Math.min(4, bound("maxItems", 4)),
        });
      case "object":
        return objectOf(schema);
      default:
        return fc.constant(null);
    }
  }

  function objectOf(schema: JsonSchema): Value {
    const { properties, additionalProperties, required } = schema;
    if (properties) {
      const members = Object.entries(properties as Record<string, JsonSchema>);
      const drawn = Object.fromEntries(members.map(([name, one]) => [name, valueOf(one)]));
      return fc.record(drawn, { requiredKeys: (required ?? []) as string[] });
    }
    const value =
      typeof additionalProperties === "object"
        ? valueOf(additionalProperties as JsonSchema)
        : fc.jsonValue({ maxDepth: 1 });
    return fc.dictionary(fc.string({ maxLength: 8 }), value, { maxKeys: 3 });
  }

  function valuesOf(parameter: Parameter): fc.Arbitrary<string[]> {
    const { schema, example, required } = parameter;
    const one =
      example === undefined ? valueOf(schema) : fc.oneof(valueOf(schema), fc.constant(example));
    const texts = one.map((value) => [value].flat().map(String));
    const odd = fc.array(nasty, { minLength: 1, maxLength: 2 });
    const given = fc.oneof({ weight: 6, arbitrary: texts }, { weight: 1, arbitrary: odd });
    const none = fc.constant<string[]>([]);
    return required
      ? given
      : fc.oneof({ weight: 2, arbitrary: none }, { weight: 1, arbitrary: given });
  }

  function bodyOf({ requestBody }: Operation): fc.Arbitrary<{ type: string; text: string | null }> {
    const content = requestBody?.content?.["application/json"];
    if (!content?.schema) return fc.constant({ type: "", text: null });
    const { example } = content;
    const drawn =
      example === undefined
        ? valueOf(content.schema)
        : fc.oneof(valueOf(content.schema), fc.constant(example));
    const type = fc.oneof(
      { weight: 9, arbitrary: fc.constant("application/json") },
      { weight: 1, arbitrary: fc.constantFrom("text/plain", "application/x-www-form-urlencoded") },
    );
    const whole = drawn.map((value) => JSON.stringify(value));
    const spoilt = fc
      .tuple(drawn, fc.jsonValue({ maxDepth: 2 }), fc.nat())
      .map(([value, other, at]) => JSON.stringify(spoil(value, other, at)));
    const raw = fc.oneof(
      fc.json({ maxDepth: 2 }),
      fc.string(),
      fc.constantFrom("", "{", "[".repeat(5000), `{"a":"${"x".repeat(300_000)}"}`),
    );
    const text = fc.oneof(
      { weight: 5, arbitrary: whole },
      { weight: 3, arbitrary: spoilt },
      { weight: 1, arbitrary: raw },
    );
    return fc.record({ type, text });
  }

  /** A request of this route; `token` is the ops token. */
  function requestOf(
    { path, method, operation }: (typeof operations)[number],
    token: string,
  ): fc.Arbitrary<GeneratedRequest> {
    const { parameters = [], security = [] } = operation;
    const named = Object.fromEntries(parameters.map((one) => [one.name, valuesOf(one)]));
    const stranger = fc.oneof(
      { weight: 12, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.tuple(fc.string({ maxLength: 6 }), nasty).map((pair) => [pair]) },
    );
    const shown = fc.oneof(
      { weight: 30, arbitrary: fc.constant(`Bearer ${token}`) },
      { weight: 1, arbitrary: fc.constantFrom("", "Bearer ", "Basic b3BzOm9wcw==") },
    );
    return fc
      .record({ values: fc.record(named), stranger, body: bodyOf(operation), shown })
      .map(({ values, stranger: more, body, shown: authorization }) => {
        const query = new URLSearchParams(more);
        let address = path;
        for (const { name, in: place } of parameters) {
          const texts = values[name] ?? [];
          if (place === "query") for (const text of texts) query.append(name, text);
          else address = address.replace(`{${name}}`, segmentOf(texts[0] ?? ""));
        }
        const search = query.toString();
        return {
          method: method.toUpperCase(),
          path: search === "" ? address : `${address}?${search}`,
          headers: {
            ...(security.length > 0 && authorization ? { Authorization: authorization } : {}),
            ...(body.text === null ? {} : { "Content-Type": body.type }),
          },
          body: body.text,
        };
      });
  }

  return {
    operations,
    requests: (token: string) =>
      fc.oneof(...operations.map((operation) => requestOf(operation, token))),
  };
}

/** As one part of an address; a lone surrogate has no encoding, and dots would change the address. */
function segmentOf(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(".", "%2E") || "-";
}

/** The value with one of its members replaced, or gone. */
function spoil(value: unknown, other: unknown, at: number): unknown {
  if (typeof value !== "object" || value === null) return other;
  const names = Object.keys(value);
  const name = names[at % (names.length + 1)];
  if (name === undefined) return Array.isArray(value) ? other : { ...value, other };
  const members = value as Record<string, unknown>;
  if (at % 3 === 0) return Array.isArray(value) ? other : { ...members, [name]: undefined };
  const spoilt = { ...members, [name]: spoil(members[name], other, Math.floor(at / 7)) };
  return Array.isArray(value) ? Object.values(spoilt) : spoilt;
}
