import type { CommandContext } from "../../src/cli/context.ts";
import { loadConfig } from "../../src/config.ts";
import { silentLogger } from "../../src/lib/logger.ts";

/** Runs a command in this process, which spares its start; what it logs is dropped. */
export async function runCommand(
  command: (context: CommandContext) => Promise<number>,
  env: Record<string, string>,
): Promise<{ code: number; stdout: string }> {
  let stdout = "";
  const output = { write: (text: string) => void (stdout += text) };
  const code = await command({
    env,
    config: loadConfig(env),
    logger: silentLogger,
    signal: new AbortController().signal,
    stdout: output,
    stderr: { write: () => {} },
  });
  return { code, stdout };
}
