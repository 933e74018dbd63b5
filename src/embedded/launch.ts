import { spawn } from "node:child_process";
import { open, readFile, rename, stat } from "node:fs/promises";
import { bareEnv, type Command } from "./command.ts";
import { unlessMissing } from "../lib/unless-missing.ts";

export interface Launched {
  /** null if it could not be started. */
  pid: number | null;
  /** null while it runs; then how it ended. */
  ended(): string | null;
  /** The last lines it logged since this start. */
  lastLines(): Promise<string>;
}

const ROTATE_BYTES = 1024 * 1024;

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
  if (size > ROTATE_BYTES) await unlessMissing(rename(logFile, `${logFile}.1`));
}
