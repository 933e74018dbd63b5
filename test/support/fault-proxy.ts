import { createServer, connect, type Socket } from "node:net";
import { systemClock } from "../../src/lib/clock.ts";
import { listenOnLoopback, type Listening } from "./loopback.ts";

/** What the proxy does to the bytes that come back from the target; switchable at any time. */
export type Fault =
  | { mode: "pass" }
  /** New connections are refused, existing ones are cut. */
  | { mode: "refuse" }
  /** Connections are accepted and nothing is ever answered. */
  | { mode: "hang" }
  /** After so many bytes from the target, silence with the connection open. */
  | { mode: "blackhole"; afterBytes: number }
  /** After so many bytes from the target, a TCP reset. */
  | { mode: "reset"; afterBytes: number }
  /** After so many bytes from the target, an orderly end: a truncated reply. */
  | { mode: "truncate"; afterBytes: number }
  | { mode: "latency"; delayMs: number; jitterMs?: number }
  /** One byte at a time, so many milliseconds apart. */
  | { mode: "slice"; everyMs: number }
  /** The target's connection is closed without telling the client, whose bytes vanish. */
  | { mode: "half-open" };

export interface FaultProxy {
  port: number;
  /** Takes effect on existing connections too; counts of bytes begin anew. */
  set(fault: Fault): Promise<void>;
  /** Connections accepted so far. */
  connections(): number;
  close(): Promise<void>;
}

/** Sees the bytes of every connection as they arrive. Bytes for which it returns false are dropped. */
export interface WireWatcher {
  toTarget(chunk: Buffer, connection: number): boolean;
  toClient(chunk: Buffer, connection: number): boolean;
}

interface Pair {
  client: Socket;
  target: Socket;
  passedBytes: number;
}

/** A TCP proxy on a free loopback port in front of `target`, whose new connections follow its changes. */
export async function openFaultProxy(
  target: { host: string; port: number },
  watcher?: WireWatcher,
): Promise<FaultProxy> {
  let fault: Fault = { mode: "pass" };
  let accepted = 0;
  const pairs = new Set<Pair>();
  const accept = (client: Socket) => {
    accepted += 1;
    const link = { fault: () => fault, watcher, connection: accepted };
    pairs.add(join(client, connect(target), link, pairs));
  };
  let listening: Listening | null = await listenOnLoopback(createServer(accept));
  const { port } = listening;

  const stopListening = async () => {
    const closed = listening?.close();
    if (!closed) return;
    listening = null;
    for (const { client, target } of pairs) {
      client.destroy();
      target.destroy();
    }
    await closed;
  };

  return {
    port,
    connections: () => accepted,
    async set(next) {
      fault = next;
      for (const pair of pairs) pair.passedBytes = 0;
      if (next.mode === "refuse") await stopListening();
      else listening ??= await listenOnLoopback(createServer(accept), port);
    },
    close: stopListening,
  };
}

interface Link {
  fault(): Fault;
  watcher: WireWatcher | undefined;
  connection: number;
}

function join(client: Socket, target: Socket, link: Link, pairs: Set<Pair>): Pair {
  const { fault, watcher, connection } = link;
  const pair: Pair = { client, target, passedBytes: 0 };
  const drop = () => {
    pairs.delete(pair);
    client.destroy();
    target.destroy();
  };
  const isCut = () => fault().mode === "half-open" || fault().mode === "hang";
  client.on("data", (chunk) => {
    if (isCut() || watcher?.toTarget(chunk, connection) === false) return;
    target.write(chunk);
  });
  let turn = Promise.resolve();
  target.on("data", (chunk) => {
    if (watcher?.toClient(chunk, connection) === false) return;
    turn = turn.then(() => deliver(pair, chunk, fault()));
  });
  client.on("end", () => target.end());
  target.on("end", () => {
    turn = turn.then(() => passEnd(client, fault()));
  });
  // One side learns that the other has closed, unless the fault hides it.
  client.on("error", drop).on("close", drop);
  target.on("error", () => {
    if (!isCut()) drop();
  });
  return pair;
}

async function passEnd(client: Socket, { mode }: Fault): Promise<void> {
  if (mode !== "hang" && mode !== "half-open" && mode !== "blackhole") client.end();
}

async function deliver(pair: Pair, chunk: Buffer, fault: Fault): Promise<void> {
  const { client } = pair;
  switch (fault.mode) {
    case "pass":
    case "refuse":
      client.write(chunk);
      break;
    case "hang":
    case "half-open":
      return;
    case "latency":
      await systemClock.sleep(fault.delayMs + Math.random() * (fault.jitterMs ?? 0));
      client.write(chunk);
      break;
    case "slice":
      for (const byte of chunk) {
        if (client.destroyed) return;
        client.write(Buffer.of(byte));
        await systemClock.sleep(fault.everyMs);
      }
      break;
    case "blackhole":
    case "reset":
    case "truncate": {
      const room = Math.max(0, fault.afterBytes - pair.passedBytes);
      if (room > 0) client.write(chunk.subarray(0, room));
      // libuv treats bytes and a reset that arrive together as bytes and an orderly end.
      if (chunk.length > room && fault.mode === "reset") await systemClock.sleep(20);
      if (chunk.length > room) breakOff(pair, fault.mode);
      break;
    }
  }
  pair.passedBytes += chunk.length;
}

function breakOff({ client, target }: Pair, mode: "blackhole" | "reset" | "truncate"): void {
  if (mode === "reset") client.resetAndDestroy();
  if (mode === "truncate") client.end();
  if (mode !== "blackhole") target.destroy();
}
