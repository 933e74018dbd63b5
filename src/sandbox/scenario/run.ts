import type { Clock } from "../../lib/clock.ts";
import { must } from "../../lib/must.ts";
import { withSalesEnds, type ScenarioEvent } from "./events.ts";
import type { OwnerClient } from "./owner-client.ts";
import { performEvent } from "./owner-actions.ts";

export interface ScenarioOptions {
  events: readonly ScenarioEvent[];
  /** One client per owner, created at the owner's first action. */
  clientOf(owner: string): OwnerClient;
  clock: Clock;
  /** Scenario seconds per real second. */
  speed: number;
  signal: AbortSignal;
  /** Called after each event, done or failed. */
  tell(line: string): void;
}

/** Plays the owners' days. A failed event is reported, and the others still happen. */
export async function runScenario(
  options: ScenarioOptions,
): Promise<{ done: number; failed: number }> {
  const { clock, speed, signal, tell } = options;
  const clients = new Map<string, OwnerClient>();
  const startMs = clock.monotonicMs();
  const count = { done: 0, failed: 0 };
  for (const event of withSalesEnds(options.events)) {
    const dueMs = startMs + (event.atSeconds / speed) * 1000;
    await clock.sleep(Math.max(0, dueMs - clock.monotonicMs()), signal);
    if (signal.aborted) break;
    const { owner } = event;
    if (!clients.has(owner)) clients.set(owner, options.clientOf(owner));
    const what = `day ${event.day} ${event.time}  ${owner}  ${event.do}`;
    try {
      const products = await performEvent(must(clients.get(owner), "a client"), event);
      count.done += 1;
      tell(`${what}: ${products} products`);
    } catch (error) {
      count.failed += 1;
      tell(`${what} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return count;
}
