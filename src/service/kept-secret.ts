import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { chown, copyFile, link, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "../lib/error-code.ts";
import { makeFolder, unlessMissing, unusable } from "../lib/files.ts";

/** Reads a secret from a file (mode 0600), or creates it. If several processes start, one creates it. */
export async function keepSecret(
  path: string,
  make: () => string,
  hardLink: typeof link = link,
): Promise<string> {
  const text = await read(path, make, hardLink).catch((error: unknown) => {
    throw refusals.has(errorCode(error)) ? unusable(path, error) : error;
  });
  const secret = text.trim();
  if (secret === "") {
    throw new Error(`${path} is empty: delete it, and the next start makes a new secret`);
  }
  return secret;
}

const refusals = new Set<string | null>(["EACCES", "EPERM", "EROFS", "ENOTDIR"]);

async function read(path: string, make: () => string, hardLink: typeof link): Promise<string> {
  await makeFolder(dirname(path));
  return (await unlessMissing(readFile(path, "utf8"))) ?? create(path, make(), hardLink);
}

/** The file appears with its whole content or not at all: an empty secret would let everybody in. */
async function create(path: string, secret: string, hardLink: typeof link): Promise<string> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, `${secret}\n`, { mode: 0o600, flag: "wx" });
    // Some file systems have no hard links.
    await hardLink(draft, path).catch(() => copyFile(draft, path, constants.COPYFILE_EXCL));
    if (process.getuid?.() === 0) {
      // It is for the owner of the folder. Some file systems know no owners.
      const { uid, gid } = await stat(dirname(path));
      await chown(path, uid, gid).catch(() => {});
    }
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(path, "utf8");
}
