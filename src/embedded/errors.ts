/** An embedded server cannot be used. The message says what to set, move or read. */
export class EmbeddedError extends Error {
  override readonly name = "EmbeddedError";
}
