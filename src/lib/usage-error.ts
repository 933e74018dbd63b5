/** A command line that cannot be understood; ends the process with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
