import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";

/** Adds the variables of a file, if it exists, that are unset or empty in `env`. */
export function addEnvFile(env: Record<string, string | undefined>, path: string): void {
  if (!existsSync(path)) return;
  // Editors of Windows begin files with a byte order mark, which would become part of the first name.
  const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  for (const [name, value] of Object.entries(parseEnv(text))) {
    if (!env[name]?.trim()) env[name] = value;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** An empty variable counts as unset, because compose files and CI systems write it so. */
export function givenSettings(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  );
}
