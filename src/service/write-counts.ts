import { runLoop } from "../lib/lifecycle.ts";
import type { Runtime } from "./resources.ts";

interface Writing {
  name: string;
  buffer: { flush(): Promise<void> };
  everyMs: number;
  isReady: () => boolean;
}

/** Writes again and again what a buffer has counted. The result writes once more and stops. */
export function writeCounts(
  { name, buffer, everyMs, isReady }: Writing,
  { clock, logger }: Pick<Runtime, "clock" | "logger">,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const flush = async () => {
    if (isReady()) await buffer.flush();
    return everyMs;
  };
  const running = runLoop({ name, clock, logger, signal, step: flush });
  return async () => {
    stopping.abort();
    await running;
    await Promise.allSettled([flush()]);
  };
}
