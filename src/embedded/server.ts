import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import { EmbeddedError } from "./errors.ts";
import type { Launched } from "./launch.ts";
import { findProcess } from "./process-table.ts";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { must } from "../lib/must.ts";
import { unlessMissing } from "../lib/files.ts";
import { errorCode } from "../lib/error-code.ts";

export interface Host {
  /** Once it is open: resolved, existing. */
  dataDir: string;
  clock: Clock;
  logger: Logger;
  signal?: AbortSignal | undefined;
  /** Overrides our default settings of Postgres; tests turn durability off. */
  postgresSettings?: Readonly<Record<string, string>>;
  /** A server of these ran already in this process. */
  isRunning?: boolean;
  /** Threads with which the search engine indexes; by default half the cores, at least two. */
  indexingThreads?: number;
  /** Memory with which it does; by default a quarter of the machine's, 256 to 2048 MiB. */
  indexingMemoryMib?: number;
}

/** A server that is ready for use. */
export interface Server {
  url: string;
  pid: number;
}

/**
 * The state of a server: `starting`: alive, still starting (crash recovery); `foreign`: not ours, or
 * with other credentials or another version; `silent`: no answer.
 */
export type Answer = "ready" | "starting" | "foreign" | "silent";

type Readiness = Exclude<Answer, "starting"> | "ended";

interface ReadinessOptions {
  ask(): Promise<Answer>;
  hasEnded(): boolean;
  /** How long it may be silent. */
  silentMs: number;
  clock: Clock;
  signal?: AbortSignal | undefined;
}

/** Crash recovery of a large database may take minutes; nothing takes this long. */
const startingLimitMs = 600_000;

/** Asks until the server is ready, proves foreign, has ended, or has been silent for too long. */
async function waitForServer(options: ReadinessOptions): Promise<Readiness> {
  const { ask, hasEnded, silentMs, clock, signal } = options;
  const beganMs = clock.monotonicMs();
  let heardMs = beganMs;
  for (;;) {
    signal?.throwIfAborted();
    if (hasEnded()) return "ended";
    const answer = await ask();
    const nowMs = clock.monotonicMs();
    if (answer === "ready" || answer === "foreign") return hasEnded() ? "ended" : answer;
    if (answer === "starting") heardMs = nowMs;
    if (nowMs - heardMs > silentMs || nowMs - beganMs > startingLimitMs) return "silent";
    await clock.sleep(40, signal);
  }
}

/** Whether a server that runs already is ready, or soon is. */
export async function isUsable(
  host: Host,
  pid: number,
  ask: ReadinessOptions["ask"],
): Promise<boolean> {
  const hasEnded = () => findProcess(pid) === null;
  return (await waitForServer({ ask, hasEnded, silentMs: 3_000, ...host })) === "ready";
}

export const startAttempts = 3;

export interface Start {
  /** What the failure says first. */
  failure: string;
  portFile: string;
  launch(port: number): Promise<Launched>;
  ask(port: number): Promise<Answer>;
  silentMs: number;
  /** Ends what an attempt has left. */
  stop(): Promise<void>;
  /** Called after each attempt that failed, from 1. */
  onFailure?(attempt: number): Promise<void>;
}

/** Starts a server, each time on a port that is free. Throws an EmbeddedError with its last words. */
export async function startServer(
  host: Host,
  start: Start,
): Promise<{ port: number; pid: number }> {
  let lastWords = "";
  for (let attempt = 1; attempt <= startAttempts; attempt += 1) {
    const port = await choosePort(start.portFile, host.clock);
    const child = await start.launch(port);
    try {
      const readiness = await waitForServer({
        ask: () => start.ask(port),
        hasEnded: () => child.ended() !== null,
        silentMs: start.silentMs,
        ...host,
      });
      if (readiness === "ready" && child.pid !== null) return { port, pid: child.pid };
      lastWords = `${child.ended() ?? `no answer (${readiness})`}\n${await child.lastLines()}`;
    } catch (error) {
      await start.stop();
      throw error;
    }
    await start.stop();
    await start.onFailure?.(attempt);
  }
  throw new EmbeddedError(`${start.failure}\n${lastWords}`);
}

/** The port that the server used last, read from `file`; null if there is none. */
export async function readPort(file: string): Promise<number | null> {
  const port = Number(await unlessMissing(readFile(file, "utf8")));
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
}

/** A process that was ended frees its port a little after it is gone from the process table. */
const freedWithinMs = 1_000;

/**
 * A free loopback port, if possible the former one. Then old connection strings stay valid, and
 * running processes find the server again after a crash.
 */
export async function choosePort(file: string, clock: Clock): Promise<number> {
  const before = await readPort(file);
  const untilMs = clock.monotonicMs() + freedWithinMs;
  let port = before && (await tryPort(before));
  while (before && !port && clock.monotonicMs() < untilMs) {
    await clock.sleep(20);
    port = await tryPort(before);
  }
  port ||= must(await tryPort(0), "a free port");
  await writeFile(file, String(port), { mode: 0o600 });
  return port;
}

async function tryPort(port: number): Promise<number | null> {
  const server = createServer();
  try {
    await once(server.listen({ port, host: "127.0.0.1", exclusive: true }), "listening");
  } catch (error) {
    if (errorCode(error) === "EADDRINUSE") return null;
    throw error;
  }
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : null;
}
