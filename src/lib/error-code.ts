/** The code of a failure of the system or of a database, such as `ENOENT` or `57P03`; null: it has none. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}
