import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import { EmbeddedError } from "./errors.ts";
import type { Launched } from "./launch.ts";
import { choosePort } from "./ports.ts";
import { findProcess } from "./process-table.ts";

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
const STARTING_LIMIT_MS = 600_000;

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
    if (nowMs - heardMs > silentMs || nowMs - beganMs > STARTING_LIMIT_MS) return "silent";
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

export const START_ATTEMPTS = 3;

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
  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt += 1) {
    const port = await choosePort(start.portFile);
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
