import { describe, expect, it } from "vitest";
import { systemClock, type Clock } from "../../src/lib/clock.ts";
import { send, tokensOf } from "./owner.ts";
import { call, start } from "./start.ts";

describe("the sandbox's limits of a user", () => {
  it("are counted over all tokens of a shop owner, apart from Search's, and start anew by the clock", async () => {
    let now = new Date("2026-03-01T13:59:00Z"); // 22:59 in Tokyo
    const clock: Clock = { ...systemClock, now: () => now };
    const passMinutes = (minutes: number) => (now = new Date(now.getTime() + minutes * 60_000));
    const sandbox = await start({
      products: 20,
      clock,
      dailyLimit: 1,
      userLimits: { hour: 2, day: 3 },
    });
    const [first, second] = [await tokensOf(sandbox, "demo-1"), await tokensOf(sandbox, "demo-1")];
    const ask = async (token: string) => {
      const { body } = await send(sandbox, { method: "GET", path: "/1/users/me", token });
      return body["error"] ?? "ok";
    };
    expect(await ask(first.access_token)).toBe("ok");
    expect(await ask(second.access_token)).toBe("ok");
    expect(await ask(first.access_token)).toBe("hour_api_limit");
    expect(await ask((await tokensOf(sandbox, "demo-2")).access_token)).toBe("ok");
    expect((await call(sandbox, "/1/search", { q: "a" })).status).toBe(200);
    passMinutes(1); // 23:00
    expect(await ask(first.access_token)).toBe("ok");
    expect(await ask(first.access_token)).toBe("day_api_limit");
    const renewed = await tokensOf(sandbox, "demo-1");
    passMinutes(59);
    expect(await ask(renewed.access_token)).toBe("day_api_limit");
    const atNight = await tokensOf(sandbox, "demo-1");
    passMinutes(1); // 00:00
    expect(await ask(atNight.access_token)).toBe("ok");
  });

  it("count calls that fail for another reason, and none that had no token", async () => {
    const sandbox = await start({ products: 20, userLimits: { hour: 2, day: 100 } });
    const { access_token: token } = await tokensOf(sandbox, "demo-1", []);
    const codes: unknown[] = [];
    for (const each of [
      { path: "/1/items/detail/1", token },
      { path: "/1/users/me" },
      { path: "/1/users/me", token },
      { path: "/1/users/me", token },
    ]) {
      codes.push((await send(sandbox, { method: "GET", ...each })).body["error"]);
    }
    expect(codes).toEqual(["insufficient_scope", "invalid_request", undefined, "hour_api_limit"]);
  });
});
