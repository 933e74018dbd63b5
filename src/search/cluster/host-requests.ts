import type { Clock } from "../../lib/clock.ts";
import { createBreaker, type Breaker } from "../engine/breaker.ts";
import { EngineRefused, EngineUnavailable, type Engine } from "../engine/engine.ts";
import { isStateFault } from "../engine/error-codes.ts";
import type { Target } from "./route.ts";

/** late: others were asked too. */
export type HostOutcome = "answered" | "failed" | "late";

export interface HostOptions {
  clock: Clock;
  engineOf: (url: string) => Engine;
  /** A cheap search that shows whether a host answers. */
  probe: Record<string, unknown>;
  /** Told of every request to a host. */
  onAnswer?: (url: string, outcome: HostOutcome) => void;
}

/** What is asked of a host, for its buckets. */
export type Ask<T> = (engine: Engine, target: Target) => Promise<T>;

/** For so long after it was late or failed, a host is asked only for buckets that no other host has. */
const avoidMs = 1000;

interface Host {
  engine: Engine;
  guarded: Breaker;
  /** Of the last search. */
  indexUid: string;
}

/** Requests to single hosts, each behind its breaker. */
export function createHostRequests({ clock, engineOf, probe, onAnswer }: HostOptions) {
  const hosts = new Map<string, Host>();
  const avoidedUntilMs = new Map<number, number>();

  function hostAt({ host: { url, indexUid } }: Target): Host {
    const host = hosts.get(url) ?? openHost(url);
    hosts.set(url, host);
    host.indexUid = indexUid;
    return host;
  }

  function openHost(url: string): Host {
    const engine = engineOf(url);
    const host: Host = {
      engine,
      indexUid: "",
      guarded: createBreaker({ clock, probe: () => engine.search(host.indexUid, probe) }),
    };
    return host;
  }

  /** The host is avoided for a while. */
  function note({ host }: Target, outcome: "failed" | "late"): void {
    onAnswer?.(host.url, outcome);
    avoidedUntilMs.set(host.host, clock.monotonicMs() + avoidMs);
  }

  return {
    /** Throws EngineRefused if every host would refuse this, else EngineUnavailable. */
    async send<T>(target: Target, ask: Ask<T>): Promise<T> {
      const { engine, guarded } = hostAt(target);
      try {
        const answer = await guarded(() => ask(engine, target));
        onAnswer?.(target.host.url, "answered");
        return answer;
      } catch (error) {
        if (error instanceof EngineRefused && !isStateFault(error)) throw error;
        note(target, "failed");
        throw error instanceof EngineRefused ? new EngineUnavailable(error.code, error) : error;
      }
    },
    noteLate: (target: Target) => note(target, "late"),
    isAvoided: (host: number) => (avoidedUntilMs.get(host) ?? 0) > clock.monotonicMs(),
  };
}
