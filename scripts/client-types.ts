/** `npx tsx scripts/client-types.ts`: writes src/client/api-types.ts from the API's description. */
import { writeFile } from "node:fs/promises";
import { readDocument } from "../test/support/openapi.ts";
import { clientTypesFile, toClientTypes } from "./support/openapi-types.ts";

await writeFile(clientTypesFile, await toClientTypes(await readDocument()));
