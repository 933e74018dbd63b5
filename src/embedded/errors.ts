/** An embedded server cannot be used. The message says what to set, move or read. */
export class EmbeddedError extends Error {
  override readonly name = "EmbeddedError";
}

/** The code of a system or database failure such as `ENOENT` or `57P03`, else null. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}
