import type { WireWatcher } from "../support/fault-proxy.ts";
import type { CrashPoint, Wire } from "./crash-points.ts";
import { createStatementReader } from "./statements.ts";

/** Who a connection belongs to, as far as a crash is concerned. */
export interface Victim {
  name: string;
  kill(): void;
}

export interface Tripwire {
  /** Kills whoever reaches the point first; resolves with its name. Only one point at a time. */
  arm(point: CrashPoint): Promise<string>;
  disarm(): void;
  /** For the proxy on one of a process's wires. */
  watcher(wire: Wire, victim: Victim): WireWatcher;
  /** The lease holders (uuid) seen on a victim's connections since they were last forgotten. */
  holders(victim: string): readonly string[];
  forgetHolders(victim: string): void;
}

interface Line {
  /** How many of the expected messages have been seen. */
  reached: number;
  isAwaitingAnswer: boolean;
}

interface Armed {
  point: CrashPoint;
  tripped(victim: string): void;
  lines: Map<string, Line>;
}

const leaseStatement = "insert into lease as l";
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/;

export function createTripwire(): Tripwire {
  let armed: Armed | null = null;
  const readers = new Map<string, (chunk: Buffer) => string[]>();
  const holders = new Map<string, Set<string>>();
  /** Connections that are asking for a lease. */
  const taking = new Set<string>();

  function trip(victim: Victim): false {
    const { tripped } = armed ?? { tripped: () => {} };
    armed = null;
    victim.kill();
    tripped(victim.name);
    return false;
  }

  /** A statement's parameters may follow it in a message of their own. */
  function noteHolder(chunk: Buffer, key: string, victim: string): void {
    const at = chunk.indexOf(leaseStatement);
    if (at >= 0) taking.add(key);
    if (!taking.has(key)) return;
    const found = uuid.exec(chunk.toString("latin1", Math.max(0, at)));
    if (!found) return;
    taking.delete(key);
    holders.set(victim, (holders.get(victim) ?? new Set()).add(found[0]));
  }

  return {
    arm: (point) =>
      new Promise((tripped) => {
        armed = { point, tripped, lines: new Map() };
      }),
    disarm() {
      armed = null;
    },
    holders: (victim) => [...(holders.get(victim) ?? [])],
    forgetHolders: (victim) => void holders.delete(victim),
    watcher(wire, victim) {
      const keyOf = (connection: number) => `${victim.name} ${wire} ${connection}`;
      return {
        toTarget(chunk, connection) {
          const key = keyOf(connection);
          // Statements are read from the first byte on: prepared ones are named only once.
          const read =
            readers.get(key) ?? (speaksSql(wire) ? createStatementReader() : requestLine);
          readers.set(key, read);
          if (speaksSql(wire)) noteHolder(chunk, key, victim.name);
          const messages = read(chunk);
          if (armed?.point.wire !== wire) return true;
          const line = armed.lines.get(key) ?? { reached: 0, isAwaitingAnswer: false };
          armed.lines.set(key, line);
          if (!advance(line, armed.point.messages, messages)) return true;
          if (armed.point.dies === "before") return trip(victim);
          line.isAwaitingAnswer = true;
          return true;
        },
        toClient(_chunk, connection) {
          const line = armed?.lines.get(keyOf(connection));
          return line?.isAwaitingAnswer ? trip(victim) : true;
        },
      };
    },
  };
}

const speaksSql = (wire: Wire) => wire !== "upstream" && wire !== "engine";

function requestLine(chunk: Buffer): string[] {
  const text = chunk.toString("latin1", 0, 300);
  return /^(GET|POST|PUT|PATCH|DELETE) \//.test(text) ? [text.split("\r\n", 1)[0] ?? ""] : [];
}

/** True once all expected messages have been seen on this line in their order. */
function advance(line: Line, expected: readonly RegExp[], messages: readonly string[]): boolean {
  for (const message of messages) {
    if (expected[line.reached]?.test(message)) line.reached += 1;
    else if (/^(begin|commit|rollback)/.test(message)) line.reached = 0;
    if (line.reached === expected.length) return true;
  }
  return false;
}
