import { spawn } from "node:child_process";
import { open, readFile, rename, stat } from "node:fs/promises";
import { unlessMissing } from "../lib/files.ts";

export interface Launched {
  /** null if it could not be started. */
  pid: number | null;
  /** null while it runs; then how it ended. */
  ended(): string | null;
  /** The last lines it logged since this start. */
  lastLines(): Promise<string>;
}

const rotateBytes = 1024 * 1024;

/**
 * Starts a server that can outlive this process. It has its own session, so that Ctrl-C does not reach
 * it, and writes to a log file (the former one is kept as `.1`).
 */
export async function launch(
  command: Command & { cwd: string; logFile: string },
): Promise<Launched> {
  const { file, args, env, uid, gid, cwd, logFile } = command;
  await rotate(logFile);
  const log = await open(logFile, "a", 0o600);
  const from = (await log.stat()).size;
  let ended: string | null = null;
  const child = spawn(file, args, {
    cwd,
    env: bareEnv(env),
    detached: true,
    stdio: ["ignore", log.fd, log.fd],
    uid,
    gid,
  });
  child.once("error", (error) => {
    ended = error.message;
  });
  child.once("exit", (code, signal) => {
    ended = signal ? `ended by ${signal}` : `ended with code ${code}`;
  });
  child.unref();
  await log.close();
  return {
    pid: child.pid ?? null,
    ended: () => ended,
    async lastLines() {
      const text = (await readFile(logFile)).subarray(from).toString("utf8");
      return text.trimEnd().split("\n").slice(-20).join("\n");
    },
  };
}

async function rotate(logFile: string): Promise<void> {
  const size = (await unlessMissing(stat(logFile)))?.size ?? 0;
  if (size > rotateBytes) await unlessMissing(rename(logFile, `${logFile}.1`));
}

export interface Command {
  file: string;
  args: string[];
  /** Added to a minimal environment, because servers must not inherit settings from ours. */
  env: Record<string, string>;
  uid?: number;
  gid?: number;
}

const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

export function bareEnv(env: Record<string, string>): Record<string, string> {
  return { PATH: path, LC_ALL: "C", ...env };
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
