import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { readDocument } from "../support/openapi.ts";
import { clientTypesFile, toClientTypes } from "../../scripts/support/openapi-types.ts";

it("the client's types are those of the present description", async () => {
  // To bring them up to date: npx tsx scripts/client-types.ts
  const present = await toClientTypes(await readDocument());
  expect((await readFile(clientTypesFile, "utf8")) === present).toBe(true);
});
