import { createRequire, register } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { OpenApi } from "../../test/support/openapi.ts";

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
  const described = JSON.stringify(document, (name, value: unknown) =>
    docsOnly.has(name) ? undefined : value,
  );
  const types = await toTypes(described);
  return `// Written by \`npx tsx scripts/client-types.ts\` from /openapi.json; a test fails while it is out of date.\n\n${astToString(types)}`;
}
