import { createRequire, register } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Described, OpenApi, Operation } from "../../test/support/openapi.ts";

export const clientTypesFile = fileURLToPath(
  new URL("../../src/client/api-types.ts", import.meta.url),
);

/**
 * openapi-typescript writes with TypeScript's old compiler API, which TypeScript 7 does not have. ts-morph
 * carries a compiler that has it, without the command `tsc`, which would hide that of TypeScript 7.
 */
const morph = pathToFileURL(createRequire(import.meta.url).resolve("@ts-morph/common")).href;
const compiler = `export { ts as default } from ${JSON.stringify(morph)};`;
const redirect = `
const url = ${JSON.stringify(`data:text/javascript,${encodeURIComponent(compiler)}`)};
export function resolve(specifier, context, next) {
  const isForWriter = specifier === "typescript" && context.parentURL?.includes("/openapi-typescript/");
  return isForWriter ? { url, format: "module", shortCircuit: true } : next(specifier, context);
}`;

/** What readers of /docs need; `fetch` types no header of an answer. */
const docsOnly = new Set(["example", "examples", "headers"]);

/** The types of the description, as a file of `src/client`. */
export async function toClientTypes(document: OpenApi): Promise<string> {
  register(`data:text/javascript,${encodeURIComponent(redirect)}`);
  const { astToString, default: toTypes } = await import("openapi-typescript");
  const types = await toTypes(withSharedFailures(withoutDocs(document)));
  return `// Written by \`npx tsx scripts/client-types.ts\` from /openapi.json; a test fails while it is out of date.\n\n${astToString(types)}`;
}

function withoutDocs(document: OpenApi): string {
  return JSON.stringify(document, (name, member: unknown) =>
    docsOnly.has(name) ? undefined : member,
  );
}

/** The description with each failure as the shared one of its status and body: what else is told of it is for /docs. */
function withSharedFailures(described: string): string {
  const document = JSON.parse(described) as OpenApi;
  const keyOf = (status: string, { content }: Described) => `${status} ${JSON.stringify(content)}`;
  const shared = new Map(
    Object.entries(document.components.responses).map(([name, failure]) => [
      keyOf(name.slice(-3), failure),
      { $ref: `#/components/responses/${name}` },
    ]),
  );
  for (const { responses } of Object.values(document.paths).flatMap(Object.values<Operation>)) {
    for (const [status, answer] of Object.entries(responses)) {
      responses[status] = shared.get(keyOf(status, answer)) ?? answer;
    }
  }
  return JSON.stringify(document);
}
