import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "./make-folder.ts";
import { unlessMissing } from "./unless-missing.ts";

/** Reads a secret from a file (mode 0600), or creates it. If several processes start, one creates it. */
export async function keepSecret(
  path: string,
  make: () => string,
  hardLink: typeof link = link,
): Promise<string> {
  await makeFolder(dirname(path));
  const text =
    (await unlessMissing(readFile(path, "utf8"))) ?? (await create(path, make(), hardLink));
  const secret = text.trim();
  if (secret === "") {
    throw new Error(`${path} is empty: delete it, and the next start makes a new secret`);
  }
  return secret;
}

/** The file appears with its whole content or not at all: an empty secret would let everybody in. */
async function create(path: string, secret: string, hardLink: typeof link): Promise<string> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, `${secret}\n`, { mode: 0o600, flag: "wx" });
    // Some file systems have no hard links.
    await hardLink(draft, path).catch(() => copyFile(draft, path, constants.COPYFILE_EXCL));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(path, "utf8");
}
