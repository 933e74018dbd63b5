/** An invalid command line; the process ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
