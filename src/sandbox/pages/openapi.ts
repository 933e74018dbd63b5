import { z } from "zod";
import { assumptions } from "../assumptions.ts";
import { errorDescriptions, specifiedErrorCodes } from "../api-errors.ts";
import type { Operation } from "../operations/operation.ts";
import type { Parameter } from "../operations/parameters.ts";
import { operations } from "../operations/all-operations.ts";
import { scopeTable } from "../scopes.ts";

type Json = Record<string, unknown>;

const form = "application/x-www-form-urlencoded";

/** OpenAPI 3.1. Every parameter and body carries `x-status`: specified, or assumed by this sandbox. */
export function toOpenApi(url: string): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "Storefront Commerce API (sandbox)",
      version: "1",
      description: `What is marked x-status: assumed is a choice of this sandbox where the specification says "not shown".\n\n${assumptions
        .map(({ section, open, assumed }) => `- Section ${section}, ${open}: ${assumed}.`)
        .join("\n")}`,
    },
    servers: [{ url }],
    paths: toPaths(),
    components: {
      schemas: { Error: errorSchema() },
      securitySchemes: {
        oauth: {
          type: "oauth2",
          flows: {
            authorizationCode: {
              authorizationUrl: "/1/oauth/authorize",
              tokenUrl: "/1/oauth/token",
              refreshUrl: "/1/oauth/token",
              scopes: Object.fromEntries(
                Object.entries(scopeTable).map(([scope, { grants }]) => [scope, grants]),
              ),
            },
          },
        },
      },
    },
  };
}

/** Two operations may share one path and method: their forms are then alternatives. */
function toPaths(): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, "{$1}");
    const methods = (paths[path] ??= {});
    const method = operation.method.toLowerCase();
    const shared = operations.filter(
      (other) => other.path === operation.path && other.method === operation.method,
    );
    methods[method] ??= toPathItem(operation, shared);
  }
  return paths;
}

function toPathItem(operation: Operation, shared: readonly Operation[]): Json {
  const { method, answer } = operation;
  const isForm = method === "POST";
  return {
    operationId: operation.id,
    tags: [groupOf(operation.path)],
    summary: shared.map(({ purpose }) => purpose).join("; or "),
    ...(operation.access === "bearer" && {
      security: [{ oauth: [operation.scope] }],
      "x-scope-status": "assumed",
    }),
    parameters: Object.entries(operation.parameters)
      .filter(([, { place }]) => place === "path" || !isForm)
      .map(([name, parameter]) => ({
        name,
        in: parameter.place === "path" ? "path" : "query",
        required: parameter.place === "path" || isNeeded(parameter),
        ...toSchema(parameter),
      })),
    ...(isForm && {
      requestBody: { required: true, content: { [form]: { schema: toFormSchema(shared) } } },
    }),
    responses: {
      "200": {
        description: "success",
        "x-status": operation.access === "search" ? "specified" : "assumed",
        content: answer
          ? { "application/json": { schema: jsonSchema(answer) } }
          : { "text/html": { schema: { type: "string" } } },
      },
      "400": {
        description: "failure",
        "x-status": "specified",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

function toFormSchema(shared: readonly Operation[]): Json {
  const forms = shared.map(({ parameters }) => {
    const fields = Object.entries(parameters).filter(([, { place }]) => place !== "path");
    return {
      type: "object",
      properties: Object.fromEntries(
        fields.map(([name, parameter]) => {
          const { schema, ...facts } = toSchema(parameter);
          const isList = parameter.place === "list";
          return [
            isList ? `${name}[0]` : name,
            { ...(isList ? { type: "string" } : schema), ...facts },
          ];
        }),
      ),
      required: fields.filter(([, parameter]) => isNeeded(parameter)).map(([name]) => name),
    };
  });
  const [only, ...others] = forms;
  return only && others.length === 0 ? only : { oneOf: forms };
}

function toSchema({ schema, about, status }: Parameter) {
  return { description: about, "x-status": status, schema: jsonSchema(schema) };
}

export function isNeeded({ schema, place }: Parameter): boolean {
  return place !== "list" && !schema.safeParse(undefined).success;
}

/** The value's type after reading: an integer, not a text of digits. */
function jsonSchema(schema: z.ZodType): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: "output", unrepresentable: "any" });
  return json;
}

function errorSchema(): Json {
  return {
    type: "object",
    required: ["error", "error_description"],
    properties: {
      error: {
        type: "string",
        description: `specified: ${specifiedErrorCodes.join(", ")}; the others are assumed`,
        enum: errorDescriptions.map(([code]) => code),
      },
      error_description: { type: "string" },
    },
  };
}

/** The group in section 4's table: the path's first word, as `ItemCategories` for `item_categories`. */
export function groupOf(path: string): string {
  const [, , word = ""] = path.split("/");
  if (word === "oauth") return "OAuth";
  return word.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
