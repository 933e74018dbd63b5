import { describe, expect, it } from "vitest";
import { createTestApi, absentDb, opsToken } from "../support/api.ts";
import { createTestClock } from "../support/clock.ts";
import { createClientAddress } from "../../src/api/http/middleware/client-address.ts";

/** An app that allows three requests a minute and client, asked from any address. */
function asking(trustedProxies: string[], rateLimitPerMinute = 3) {
  const clock = createTestClock();
  const clientAddress = createClientAddress(trustedProxies);
  const api = createTestApi(absentDb(), { clock, clientAddress, rateLimitPerMinute });
  return {
    clock,
    async from(address: string, headers: Record<string, string> = {}, path = "/nowhere") {
      return (await api.from(address, path, headers)).status;
    },
  };
}

const spoofed = (i: number) => ({ "X-Forwarded-For": `203.0.113.${i}` });

describe("the limit of requests a client", () => {
  it("A9: is not passed by a forged X-Forwarded-For, other letter case or more slashes", async () => {
    const { from, clock } = asking([]);
    const paths = ["/v1/products", "//v1/products", "/V1/Products", "/v1/./products"];
    const statuses: number[] = [];
    for (const [i, path] of paths.entries()) {
      statuses.push(await from("198.51.100.7", spoofed(i), path));
    }
    expect(statuses.slice(0, 3)).not.toContain(429);
    expect(statuses[3]).toBe(429);
    expect(await from("198.51.100.8")).toBe(404);
    await clock.advance(20_000);
    expect(await from("198.51.100.7")).toBe(404);
    expect(await from("198.51.100.7")).toBe(429);
  });

  it("A9: counts behind a trusted proxy whom it names, and nobody whom the caller named", async () => {
    const { from } = asking(["10.0.0.0/8", "fe80::/10"]);
    const via = (left: string, caller: string) => ({
      "X-Forwarded-For": `${left}, ${caller}, 10.1.1.1`,
    });
    for (let i = 0; i < 3; i += 1) {
      expect(await from("10.9.9.9", via(`192.0.2.${i}`, "198.51.100.7"))).toBe(404);
    }
    expect(await from("10.9.9.9", via("192.0.2.9", "198.51.100.7"))).toBe(429);
    expect(await from("::ffff:10.9.9.9", via("192.0.2.9", "198.51.100.7"))).toBe(429);
    expect(await from("fe80::1%eth0", via("192.0.2.9", "198.51.100.7"))).toBe(429);
    expect(await from("10.9.9.9", via("192.0.2.9", "198.51.100.8"))).toBe(404);
    expect(await from("10.9.9.9", { "X-Forwarded-For": "not an address" })).toBe(404);
  });

  it("A9: takes an IPv6 /64 for one client, and an IPv4 address in IPv6 form for itself", async () => {
    const { from } = asking([]);
    for (const tail of ["1", "ffff:1:2:3", "a:0:b:1"])
      expect(await from(`2001:db8::${tail}`)).toBe(404);
    expect(await from("2001:db8:0:0:9::")).toBe(429);
    expect(await from("2001:db8:0:1::1")).toBe(404);
    for (let i = 0; i < 3; i += 1) expect(await from("::ffff:198.51.100.9")).toBe(404);
    expect(await from("198.51.100.9")).toBe(429);
  });

  it("answers health and metrics however much is asked", async () => {
    const { from } = asking([]);
    for (let i = 0; i < 10; i += 1) expect(await from("198.51.100.7", {}, "/healthz")).toBe(200);
  });
});

describe("guessing the ops token", () => {
  const path = "/ops/v1/nothing-here";
  const wrong = { Authorization: "Bearer guess" };
  const right = { Authorization: `Bearer ${opsToken}` };

  it("B24, O1: of 1,000 guesses ten are looked at, and the right token gets in all the while", async () => {
    const { from, clock } = asking([], 0);
    let looked = 0;
    for (let i = 0; i < 1000; i += 1) {
      if ((await from("198.51.100.7", wrong, path)) === 401) looked += 1;
      if (i % 500 === 0) expect(await from("198.51.100.7", right, path)).toBe(404);
    }
    expect(looked).toBe(10);
    expect(await from("198.51.100.7", wrong, path)).toBe(429);
    expect(await from("198.51.100.7", right, path)).toBe(404);
    await clock.advance(6000);
    expect(await from("198.51.100.7", wrong, path)).toBe(401);
  });

  it("B24, O1: many addresses that guess together are held up, and nobody who has the token", async () => {
    const { from } = asking([], 0);
    let looked = 0;
    for (let i = 0; i < 500; i += 1) {
      if ((await from(`203.0.${Math.floor(i / 250)}.${i % 250}`, wrong, path)) === 401) looked += 1;
    }
    expect(looked).toBe(100);
    expect(await from("198.51.100.2", wrong, path)).toBe(429);
    expect(await from("198.51.100.2", right, path)).toBe(404);
    expect(await from("203.0.0.1", right, path)).toBe(404);
  });

  it("B33: another scheme's header is no guess, and no way in", async () => {
    const { from } = asking([], 0);
    const basic = { Authorization: `Basic ${Buffer.from(`ops:${opsToken}`).toString("base64")}` };
    for (let i = 0; i < 50; i += 1) expect(await from("198.51.100.7", basic, path)).toBe(401);
    expect(await from("198.51.100.7", wrong, path)).toBe(401);
  });

  it("asking without a token is no guess", async () => {
    const { from } = asking([], 0);
    for (let i = 0; i < 50; i += 1) expect(await from("198.51.100.7", {}, path)).toBe(401);
    expect(await from("198.51.100.7", right, path)).toBe(404);
  });
});
