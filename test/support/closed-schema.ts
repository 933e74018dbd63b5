import type { JsonSchema } from "./openapi.ts";

type Resolve = (ref: string) => JsonSchema;

/**
 * The schema without references, in which an object has only the members it names: an answer with a
 * member that nobody described is a fault too. The parts of an `allOf` are closed together.
 */
export function closedSchema(given: JsonSchema, resolve: Resolve): JsonSchema {
  return close(given, resolve, false);
}

function close(given: JsonSchema, resolve: Resolve, isPart: boolean): JsonSchema {
  if (typeof given.$ref === "string") return close(resolve(given.$ref), resolve, isPart);
  const { allOf, anyOf, oneOf, items, properties, additionalProperties, ...rest } = given;
  const each = (schemas: unknown, part: boolean) =>
    (schemas as JsonSchema[]).map((one) => close(one, resolve, part));
  const schema: JsonSchema = { ...rest };
  if (allOf) schema.allOf = each(allOf, true);
  if (anyOf) schema.anyOf = each(anyOf, isPart);
  if (oneOf) schema.oneOf = each(oneOf, isPart);
  if (items) schema.items = close(items as JsonSchema, resolve, false);
  if (properties) {
    schema.properties = Object.fromEntries(
      Object.entries(properties as Record<string, JsonSchema>).map(([name, one]) => [
        name,
        close(one, resolve, false),
      ]),
    );
  }
  if (typeof additionalProperties === "object") {
    schema.additionalProperties = close(additionalProperties as JsonSchema, resolve, false);
  } else if (additionalProperties !== undefined) {
    schema.additionalProperties = additionalProperties;
  } else if ((properties ?? allOf) && !isPart) {
    schema.unevaluatedProperties = false;
  }
  return schema;
}
