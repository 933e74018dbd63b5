import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { Clock } from "../lib/clock.ts";

export interface ProcessInfo {
  pid: number;
  /** Opaque. Together with the pid it identifies a process, because pids are reused. */
  startedAt: string;
  /** The arguments with a space after each, also the last, so that ` --flag value ` can be found. */
  command: string;
}

/** A running process; null for a zombie too, because some containers never reap those. */
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
  // The second field is the name in parentheses. It may contain spaces and parentheses.
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

/** All processes whose command line contains `text`. Linux only; empty elsewhere. */
export function findByCommand(text: string): ProcessInfo[] {
  return livingPids().flatMap((pid) => {
    const found = findProcess(pid);
    return found?.command.includes(text) ? [found] : [];
  });
}

/** All processes with the working directory `dir` that this user may see. Linux only; empty elsewhere. */
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

/**
 * Sends the signals one after another until the process has ended, and waits so many milliseconds after each; false if
 * it survives all of them.
 */
export async function stopProcess(
  target: ProcessInfo,
  signals: Partial<Record<NodeJS.Signals, number>>,
  clock: Clock,
): Promise<boolean> {
  const isDeleted = () => findProcess(target.pid)?.startedAt !== target.startedAt;
  for (const [signal, waitMs] of Object.entries(signals)) {
    if (isDeleted()) return true;
    try {
      process.kill(target.pid, signal);
    } catch {
      // It has ended, or we may not signal it; the loop below shows which.
    }
    const deadlineMs = clock.monotonicMs() + waitMs;
    while (!isDeleted() && clock.monotonicMs() < deadlineMs) await clock.sleep(20);
  }
  return isDeleted();
}
