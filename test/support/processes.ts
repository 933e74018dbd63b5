import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { must } from "../../src/lib/must.ts";
import { findProcess } from "../../src/embedded/process-table.ts";
import { until } from "./until.ts";
import { rarelyCompiled } from "./rarely-compiled.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface TestProcess {
  pid: number;
  stdout(): string;
  stderr(): string;
  /** Resolves with the exit code, or the signal's name. */
  ended: Promise<number | NodeJS.Signals>;
  kill(signal: NodeJS.Signals): void;
  /** Closes its output pipe, so that its next write fails. */
  closeStdout(): void;
  /** Waits for `text` in the output; fails at once, with all output, if the process ends first. */
  says(text: string | RegExp, timeoutMs?: number): Promise<string>;
  /** Waits until it runs with an API, which logs JSON; returns the address. */
  serves(): Promise<string>;
}

export interface SpawnOptions {
  /** Added to only PATH and HOME, so that a developer's own settings have no effect. */
  env?: Record<string, string>;
  cwd?: string;
  /** The folder where Kurabe is installed; by default this checkout. */
  home?: string;
  uid?: number;
  gid?: number;
  /** Its own session, which Ctrl-C does not reach; false by default. */
  detached?: boolean;
}

/**
 * Most of these processes end within seconds, so that little of what the garbage collector copies pays back: a start
 * takes a quarter less of the processor.
 */
const shortLived = [...rarelyCompiled, "--min-semi-space-size=16"];

/** `kurabe <args>` as `npm run build` makes it: it starts in a third of the time that its sources need. */
export function spawnKurabe(args: string[], options: SpawnOptions = {}): TestProcess {
  return spawnNode([...shortLived, join(options.home ?? root, "dist/main.js"), ...args], options);
}

const started = new Set<ChildProcess>();

/** A TypeScript file of the repository (path from its root) as a process of its own. */
export function spawnScript(
  script: string,
  args: string[] = [],
  options: SpawnOptions = {},
): TestProcess {
  const tsx = import.meta.resolve?.("tsx") ?? "tsx";
  return spawnNode(["--import", tsx, `${root}${script}`, ...args], options);
}

function spawnNode(args: string[], options: SpawnOptions): TestProcess {
  const { PATH = "", HOME = "/" } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: options.cwd ?? root,
    env: { PATH, HOME, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: options.detached ?? false,
    ...(options.uid === undefined ? {} : { uid: options.uid }),
    ...(options.gid === undefined ? {} : { gid: options.gid }),
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`node ${args.join(" ")} could not be started`);
  started.add(child);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  let outcome: number | NodeJS.Signals | null = null;
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once("close", (code, signal) => {
      started.delete(child);
      outcome = code ?? signal ?? 1;
      resolve(outcome);
    });
  });
  async function says(text: string | RegExp, timeoutMs = 120_000): Promise<string> {
    const matches = () => {
      const output = stdout + stderr;
      return typeof text === "string" ? output.includes(text) : text.test(output);
    };
    await until(() => matches() || outcome !== null, { timeoutMs, what: `output ${text}` });
    if (!matches())
      throw new Error(`ended (${outcome}) without saying ${text}\n${stdout}${stderr}`);
    return stdout + stderr;
  }
  return {
    pid,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    kill: (signal) => void child.kill(signal),
    closeStdout: () => void child.stdout.destroy(),
    says,
    async serves() {
      const output = await says("kurabe is running");
      return must(/"url":"(http:[^"]+)"/.exec(output)?.[1], "the address");
    },
  };
}

/** For afterEach: ends processes that a failed test left. */
export async function killStarted(): Promise<void> {
  const pids = [...started].flatMap((child) => (child.pid === undefined ? [] : [child.pid]));
  for (const child of started) child.kill("SIGKILL");
  await expectEnded(pids);
}

/** Fails unless every one of these processes has ended within the deadline. */
export async function expectEnded(pids: readonly number[], timeoutMs = 60_000): Promise<void> {
  await until(() => pids.every((pid) => findProcess(pid) === null), {
    timeoutMs,
    what: `the processes ${pids.join(", ")} to end`,
  });
}
