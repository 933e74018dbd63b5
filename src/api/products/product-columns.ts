import { z } from "@hono/zod-openapi";
import { productSchema } from "./product-schema.ts";

type Kind = "boolean" | "integer" | "number" | "text" | "json";

/** The members of a Product that do not depend on when it is read, in their order. */
export const productColumns: readonly { name: string; kind: Kind }[] = Object.entries(
  productSchema.omit({ age_s: true }).shape,
).map(([name, schema]) => ({ name, kind: kindOf(schema) }));

function kindOf(schema: unknown): Kind {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return kindOf(schema.unwrap());
  if (schema instanceof z.ZodNumberFormat) return "integer";
  if (schema instanceof z.ZodNumber) return "number";
  if (schema instanceof z.ZodBoolean) return "boolean";
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) return "text";
  return "json";
}
