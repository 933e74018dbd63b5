type Environment = Readonly<Record<string, string | undefined>>;

/** An empty variable counts as unset, because compose files and CI systems write it so. */
export function givenSettings(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  );
}
