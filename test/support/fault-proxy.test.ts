import { createServer } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openFaultProxy, type FaultProxy } from "./fault-proxy.ts";
import { listenOnLoopback, type Listening } from "./loopback.ts";

const body = "x".repeat(300);
let server: Listening;
let proxy: FaultProxy;
let answered: number;
beforeEach(async () => {
  answered = 0;
  server = await listenOnLoopback(
    createServer((_request, response) => {
      answered += 1;
      response.end(body);
    }),
  );
  proxy = await openFaultProxy({ host: "127.0.0.1", port: server.port });
});
afterEach(async () => {
  await proxy.close();
  await server.close();
});

async function get(timeoutMs = 60_000): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(`http://127.0.0.1:${proxy.port}/`, { signal });
  return response.text();
}

/** The name of the failure, or of the failure beneath it. */
async function failure(timeoutMs?: number): Promise<string> {
  try {
    await get(timeoutMs);
    return "none";
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return cause instanceof Error && "code" in cause && typeof cause.code === "string"
      ? cause.code
      : (cause as Error).name;
  }
}

describe("the fault proxy", () => {
  it("passes bytes unchanged, late or one by one", async () => {
    expect(await get()).toBe(body);
    await proxy.set({ mode: "latency", delayMs: 20 });
    expect(await get()).toBe(body);
    await proxy.set({ mode: "slice", everyMs: 0 });
    expect(await get()).toBe(body);
    expect(proxy.connections()).toBeGreaterThan(0);
  });

  it("refuses, and takes connections on the same port again", async () => {
    await proxy.set({ mode: "refuse" });
    expect(await failure()).toBe("ECONNREFUSED");
    await proxy.set({ mode: "pass" });
    expect(await get()).toBe(body);
  });

  it("hangs without passing the request on", async () => {
    await proxy.set({ mode: "hang" });
    expect(await failure(200)).toBe("TimeoutError");
    expect(answered).toBe(0);
  });

  it("falls silent, resets or ends after so many bytes of the answer", async () => {
    await proxy.set({ mode: "blackhole", afterBytes: 350 });
    expect(await failure(3000)).toBe("TimeoutError");
    await proxy.set({ mode: "reset", afterBytes: 350 });
    expect(await failure()).toBe("ECONNRESET");
    await proxy.set({ mode: "truncate", afterBytes: 350 });
    expect(await failure()).toBe("UND_ERR_SOCKET");
    expect(answered).toBe(3);
  });
});
