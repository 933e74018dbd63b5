import { spawn } from "node:child_process";

export interface Command {
  file: string;
  args: string[];
  /** Added to a minimal environment, because servers must not inherit settings from ours. */
  env: Record<string, string>;
  uid?: number;
  gid?: number;
}

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

export function bareEnv(env: Record<string, string>): Record<string, string> {
  return { PATH, LC_ALL: "C", ...env };
}

export interface CommandResult {
  /** null: it was ended by a signal or could not start. */
  code: number | null;
  /** The last 20,000 characters of standard output and standard error. */
  output: string;
}

/** Runs a short command in a new session, so that Ctrl-C in the terminal does not reach it. */
export function runCommand(
  command: Command & { timeoutMs: number; signal?: AbortSignal | undefined },
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const { file, args, env, uid, gid, timeoutMs, signal } = command;
    const child = spawn(file, args, {
      cwd: "/",
      env: bareEnv(env),
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
      uid,
      gid,
      signal,
    });
    let output = "";
    const collect = (chunk: string) => {
      output = (output + chunk).slice(-20_000);
    };
    child.stdout.setEncoding("utf8").on("data", collect);
    child.stderr.setEncoding("utf8").on("data", collect);
    child.on("error", (error) => collect(`${error.message}\n`));
    child.on("close", (code) => resolve({ code, output }));
  });
}
