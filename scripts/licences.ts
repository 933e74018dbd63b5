/** `npx tsx scripts/licences.ts`: writes infra/licences.md from package-lock.json. */
import { writeFile } from "node:fs/promises";
import { toLicenceList } from "./licence-list.ts";
import { readLockfile } from "./lockfile.ts";

const list = new URL("../infra/licences.md", import.meta.url);
await writeFile(list, toLicenceList(await readLockfile()));
