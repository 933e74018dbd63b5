import { loadConfig, type Config } from "../config.ts";
import type { Logger } from "../lib/logger.ts";

export interface CliContext {
  env: Readonly<Record<string, string | undefined>>;
  /** Aborts on the first SIGINT or SIGTERM. */
  signal: AbortSignal;
  stdout: { write(text: string): unknown; isTTY?: boolean };
  stderr: { write(text: string): unknown; isTTY?: boolean };
}
export interface CommandContext extends CliContext {
  config: Config;
  logger: Logger;
}

export function configOf({ env, stderr }: CliContext): Config {
  return loadConfig(env, { isTerminal: stderr.isTTY ?? false });
}
