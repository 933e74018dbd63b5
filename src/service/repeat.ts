import { startLoop } from "../lib/loop.ts";
import type { Runtime } from "./resources.ts";

/**
 * Does the same every few seconds while the database is ready. The result does it once more and stops,
 * so that nothing counted is lost.
 */
export function repeat(options: {
  name: string;
  everyMs: number;
  work(): Promise<void>;
  runtime: Pick<Runtime, "clock" | "logger">;
  isReady(): boolean;
}): () => Promise<void> {
  const { name, everyMs, work, isReady } = options;
  const { clock, logger } = options.runtime;
  const step = async () => {
    if (isReady()) await work();
    return everyMs;
  };
  const stop = startLoop({ name, clock, logger, step });
  return async () => {
    await stop();
    await Promise.allSettled([step()]);
  };
}
