import { mkdir, readFile, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import { errorCode } from "../../lib/error-code.ts";

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Creates missing symlinks between the libraries of the Postgres package. npm packages contain no
 * symlinks, so the package creates them in an install script, which may be blocked. If the package is
 * read-only, they go to `fallbackDir`; the result is then the addition to the loader's search path.
 */
export async function linkSharedLibraries(
  packageRoot: string,
  fallbackDir: string,
  makeLink: typeof symlink = symlink,
): Promise<Record<string, string>> {
  const text = await readFile(join(packageRoot, "native/pg-symlinks.json"), "utf8");
  const wanted = links.parse(JSON.parse(text)).map(({ source, target }) => ({
    source: join(packageRoot, source),
    target: join(packageRoot, target),
  }));
  try {
    for (const { source, target } of wanted) {
      await link(makeLink, relative(dirname(target), source), target);
    }
    return {};
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS"].includes(errorCode(error) ?? "")) throw error;
  }
  await mkdir(fallbackDir, { recursive: true });
  for (const { source, target } of wanted) {
    await link(
      makeLink,
      source,
      join(fallbackDir, relative(join(packageRoot, "native/lib"), target)),
    );
  }
  const name = process.platform === "darwin" ? "DYLD_LIBRARY_PATH" : "LD_LIBRARY_PATH";
  // A library that is loaded through its link looks for the others beside that link.
  return { [name]: `${fallbackDir}:${join(packageRoot, "native/lib")}` };
}

async function link(makeLink: typeof symlink, source: string, target: string): Promise<void> {
  try {
    await makeLink(source, target);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}
