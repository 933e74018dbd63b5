import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { Clock } from "../lib/clock.ts";

export interface ProcessInfo {
  pid: number;
  /** Opaque; with the pid it names one process, though pids are used again. */
  startedAt: string;
  /** Arguments with a space after each, the last included, so that ` --flag value ` can be looked for. */
  command: string;
}

/** A living process; null also for a zombie, which some containers never reap. */
export function findProcess(pid: number): ProcessInfo | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  try {
    return process.platform === "linux" ? readProc(pid) : askPs(pid);
  } catch {
    return null;
  }
}

function readProc(pid: number): ProcessInfo | null {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the name in parentheses and may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields[0] === "Z" || fields[0] === "X") return null;
  const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  return { pid, startedAt: fields[19] ?? "", command };
}

function askPs(pid: number): ProcessInfo | null {
  const line = execFileSync("ps", ["-ww", "-o", "stat=,lstart=,command=", "-p", String(pid)], {
    encoding: "utf8",
  });
  const parts = /^(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/.exec(line.trim());
  if (!parts || parts[1]?.startsWith("Z")) return null;
  return { pid, startedAt: parts[2] ?? "", command: `${parts[3]} ` };
}

/** Every process whose command line holds `text`; Linux only, empty elsewhere. */
export function findByCommand(text: string): ProcessInfo[] {
  return livingPids().flatMap((pid) => {
    const found = findProcess(pid);
    return found?.command.includes(text) ? [found] : [];
  });
}

/** Every process that works in `dir`, as far as this user may know; Linux only, empty elsewhere. */
export function findByWorkingDir(dir: string): ProcessInfo[] {
  return livingPids().flatMap((pid) => {
    try {
      if (readlinkSync(`/proc/${pid}/cwd`) !== dir) return [];
    } catch {
      return [];
    }
    const found = findProcess(pid);
    return found ? [found] : [];
  });
}

function livingPids(): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

export interface StopStep {
  signal: NodeJS.Signals;
  waitMs: number;
}

/** Sends one signal after the other until that very process is gone; false when it outlives them all. */
export async function stopProcess(
  target: ProcessInfo,
  steps: readonly StopStep[],
  clock: Clock,
): Promise<boolean> {
  const isDeleted = () => findProcess(target.pid)?.startedAt !== target.startedAt;
  for (const { signal, waitMs } of steps) {
    if (isDeleted()) return true;
    try {
      process.kill(target.pid, signal);
    } catch {
      // Gone in between, or not ours to stop: the loop below tells which.
    }
    const deadlineMs = clock.monotonicMs() + waitMs;
    while (!isDeleted() && clock.monotonicMs() < deadlineMs) await clock.sleep(20);
  }
  return isDeleted();
}
