import { gunzipSync } from "node:zlib";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { AnswerCheck } from "./answer-check.ts";
import { closedSchema } from "./closed-schema.ts";
import {
  readDocument,
  type Described,
  type JsonSchema,
  type OpenApi,
  type Operation,
} from "./openapi.ts";

/** Pages and files: only their status and type are looked at. */
const pageStatuses = [
  200, 201, 301, 302, 303, 304, 400, 401, 403, 404, 405, 409, 410, 413, 429, 500, 503,
];
const pageTypes =
  /^(text\/(html|plain|css|javascript)|image\/|font\/|application\/(xml|(problem\+)?json))/;
/** What is answered where no route is. */
const routelessStatuses = [204, 400, 401, 404, 405, 413, 429, 503];
const forPrograms = /^\/(v1|ops\/v1|meili|openapi\.json|healthz|readyz|metrics)(\/|$)/;

const jsonType = /^application\/([\w.-]+\+)?json$/;
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

let made: Promise<AnswerCheck> | undefined;

/** The check by Kurabe's own description; its schemas are compiled once a worker. */
export function answerCheck(): Promise<AnswerCheck> {
  return (made ??= readDocument().then(createAnswerCheck));
}

/** Compares answers with the description: status, headers, type, and every member of a JSON body. */
export function createAnswerCheck(document: OpenApi): AnswerCheck {
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    formats: { "date-time": instant },
    // Each worker compiles the schemas, which other tests check.
    meta: false,
    validateSchema: false,
    code: { optimize: false },
  });
  const compiled = new Map<JsonSchema, ValidateFunction>();
  const routes = toRoutes(document);

  function schemaNamed(ref: string): JsonSchema {
    const schema = document.components.schemas[ref.split("/").at(-1) ?? ""];
    if (!schema) throw new Error(`${ref} is not described`);
    return schema;
  }

  function described(operation: Operation, status: number): Described | undefined {
    const { responses } = operation;
    const found = responses[status] ?? responses[`${Math.floor(status / 100)}XX`];
    return found?.$ref ? document.components.responses[found.$ref.split("/").at(-1) ?? ""] : found;
  }

  function bodyFault(schema: JsonSchema, body: unknown): string | null {
    let validate = compiled.get(schema);
    if (!validate) {
      validate = ajv.compile(closedSchema(schema, schemaNamed));
      compiled.set(schema, validate);
    }
    if (validate(body)) return null;
    const [error] = validate.errors ?? [];
    const { instancePath = "", message = "", params = {} } = error ?? {};
    return `${instancePath || "the body"} ${message} ${JSON.stringify(params)}`;
  }

  async function faultOf(
    { operation, path }: Route,
    method: string,
    answer: Response,
  ): Promise<string | null> {
    const isForPrograms = forPrograms.test(path);
    const response = described(operation, answer.status);
    if (!response) return "this status is not described";
    for (const [name, header] of Object.entries(response.headers ?? {})) {
      const known = header.$ref ? document.components.headers[name] : header;
      if (known?.required && !answer.headers.has(name)) return `the header ${name} is missing`;
    }
    if (method === "HEAD") return null;
    const type = mediaType(answer);
    const content = response.content?.[type];
    // Outside the addresses of programs, browsers get problems as pages.
    if (answer.status >= 400 && type === "text/html" && !isForPrograms) return null;
    if (!content) {
      const isBare = response.content === undefined && (answer.body === null || type === "");
      return isBare ? null : `the type ${type || "none"} is not described`;
    }
    if (!content.schema || !jsonType.test(type)) return null;
    const body = await jsonOf(answer);
    return body === undefined ? null : bodyFault(content.schema, body);
  }

  async function routelessFault(path: string, answer: Response): Promise<string | null> {
    const { status } = answer;
    const type = mediaType(answer);
    if (!forPrograms.test(path)) {
      const isPage = pageStatuses.includes(status) && (type === "" || pageTypes.test(type));
      return isPage || status === 204 ? null : `no page answers with the type ${type || "none"}`;
    }
    if (!routelessStatuses.includes(status)) return "there is no route";
    if (status === 204) return null;
    const name = path.startsWith("/meili") ? "MeilisearchError" : "Problem";
    const body = await jsonOf(answer);
    return body === undefined ? null : bodyFault(schemaNamed(name), body);
  }

  return async ({ method, path }, answer) => {
    const [pathname = "/"] = path.split(/[?#]/);
    const described = routes.find((one) => one.pattern.test(pathname));
    const route = routes.find(
      (one) => one.path === described?.path && one.method === (method === "HEAD" ? "GET" : method),
    );
    const fault = route
      ? await faultOf(route, method, answer)
      : await routelessFault(pathname, answer);
    return fault && `${method} ${route?.path ?? pathname} answered ${answer.status}: ${fault}`;
  };
}

interface Route {
  method: string;
  path: string;
  pattern: RegExp;
  operation: Operation;
}

/** Fixed addresses before those with parameters. */
function toRoutes({ paths }: OpenApi): Route[] {
  const parameters = (path: string) => path.split("{").length;
  return Object.entries(paths)
    .toSorted(([a], [b]) => parameters(a) - parameters(b))
    .flatMap(([path, item]) => {
      const source = path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+");
      return Object.entries(item).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        pattern: new RegExp(`^${source}$`),
        operation,
      }));
    });
}

function mediaType(answer: Response): string {
  return (answer.headers.get("Content-Type") ?? "").split(";")[0]?.trim() ?? "";
}

/** undefined: the answer broke off. */
async function jsonOf(answer: Response): Promise<unknown> {
  const bytes = await answer
    .clone()
    .arrayBuffer()
    .then(Buffer.from, () => null);
  if (bytes === null) return undefined;
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return JSON.parse((isZipped ? gunzipSync(bytes) : bytes).toString());
}
