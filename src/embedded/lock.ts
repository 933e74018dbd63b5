import { createHash } from "node:crypto";
import { once } from "node:events";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Clock } from "../lib/clock.ts";
import { errorCode } from "../lib/error-code.ts";
import { EmbeddedError } from "./errors.ts";

export interface LockOptions {
  /** The resolved path, so that two spellings of one folder share one lock. */
  dataDir: string;
  clock: Clock;
  signal?: AbortSignal | undefined;
  waitMs: number;
}

type Release = () => Promise<void>;

/**
 * Runs `work` while no other process of this machine does so for the same folder. The kernel releases
 * the lock when the process ends, so a kill -9 leaves nothing to clean up.
 */
export async function withLock<T>(options: LockOptions, work: () => Promise<T>): Promise<T> {
  const { dataDir, clock, signal, waitMs } = options;
  const take = process.platform === "linux" ? takeAbstractSocket : takeFileLock;
  const deadlineMs = clock.monotonicMs() + waitMs;
  let release = await take(dataDir);
  while (!release) {
    signal?.throwIfAborted();
    if (clock.monotonicMs() > deadlineMs) {
      throw new EmbeddedError(
        `another process has been starting or stopping the servers in ${dataDir} for ${Math.round(waitMs / 1000)} s; end it, or set another DATA_DIR`,
      );
    }
    await clock.sleep(50, signal);
    release = await take(dataDir);
  }
  try {
    return await work();
  } finally {
    await release();
  }
}

/** A name in Linux's abstract socket namespace: it needs no file and exists while the process listens. */
async function takeAbstractSocket(dataDir: string): Promise<Release | null> {
  const name = `\0kurabe-${createHash("sha256").update(dataDir).digest("hex").slice(0, 32)}`;
  const server = createServer((socket) => socket.destroy());
  try {
    await once(server.listen(name), "listening");
  } catch (error) {
    if (errorCode(error) === "EADDRINUSE") return null;
    throw error;
  }
  return () => new Promise((resolve) => server.close(() => resolve()));
}

/** From macOS's fcntl.h; Node does not name it. */
const exclusiveLockFlag = 0x20;

async function takeFileLock(dataDir: string): Promise<Release | null> {
  const { O_CREAT, O_RDWR, O_NONBLOCK } = constants;
  try {
    const file = await open(
      join(dataDir, "lock"),
      O_CREAT | O_RDWR | O_NONBLOCK | exclusiveLockFlag,
      0o600,
    );
    return () => file.close();
  } catch (error) {
    if (errorCode(error) === "EAGAIN") return null;
    throw error;
  }
}
