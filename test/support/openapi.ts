import { apiWithoutDb } from "./api.ts";

export interface JsonSchema {
  [keyword: string]: unknown;
}

export interface Described {
  $ref?: string;
  description?: string;
  headers?: Record<string, { $ref?: string; required?: boolean; schema?: JsonSchema }>;
  content?: Record<string, { schema?: JsonSchema; example?: unknown; examples?: unknown }>;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  schema: JsonSchema;
  example?: unknown;
}

export interface Operation {
  operationId: string;
  security?: object[];
  parameters?: Parameter[];
  requestBody?: Described & { required?: boolean };
  responses: Record<string, Described>;
}

export interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, Described>;
    headers: Record<string, { required?: boolean; schema?: JsonSchema }>;
  };
}

let document: Promise<OpenApi> | undefined;

/** The description as the API serves it; made without servers, once a process. */
export function readDocument(): Promise<OpenApi> {
  return (document ??= apiWithoutDb()
    .get("/openapi.json")
    .then(async (response) => (await response.json()) as OpenApi));
}
