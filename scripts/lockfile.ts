import { readFile } from "node:fs/promises";
import { z } from "zod";

const lockedPackage = z.looseObject({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  link: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
});
const lockfile = z.looseObject({ packages: z.record(z.string(), lockedPackage) });

export type LockedPackage = z.infer<typeof lockedPackage> & { name: string };

/** Every package of package-lock.json except the project itself. */
export async function readLockfile(): Promise<LockedPackage[]> {
  const text = await readFile(new URL("../package-lock.json", import.meta.url), "utf8");
  const { packages } = lockfile.parse(JSON.parse(text));
  return Object.entries(packages).flatMap(([path, locked]) =>
    path === "" ? [] : [{ ...locked, name: path.split("node_modules/").at(-1) ?? path }],
  );
}
