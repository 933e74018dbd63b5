/** `npx tsx scripts/licences.ts`: writes infra/licences.md from package-lock.json. */
import { writeFile } from "node:fs/promises";
import { readLockfile, toLicenceList } from "./support/licence-list.ts";

const list = new URL("../infra/licences.md", import.meta.url);
await writeFile(list, toLicenceList(await readLockfile()));
