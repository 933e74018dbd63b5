import { describe, expect, it } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { createBreaker } from "./breaker.ts";
import { EngineRefused, EngineUnavailable } from "./engine.ts";

/** An engine whose searches end as they are told to, and whose probe ends as `probe` says. */
function createScene() {
  const scene = { nowMs: 0, asked: 0, probes: 0, probe: "answers" as "answers" | "timeout" };
  const guarded = createBreaker({
    clock: { ...systemClock, monotonicMs: () => scene.nowMs },
    probe: async () => {
      scene.probes += 1;
      if (scene.probe === "timeout") throw new EngineUnavailable("timeout");
    },
  });
  const search = (fault?: Error) =>
    guarded(async () => {
      scene.asked += 1;
      if (fault) throw fault;
      return "answer";
    });
  const failing = async (fault: Error) => expect(search(fault)).rejects.toBe(fault);
  return Object.assign(scene, { search, failing });
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const unavailable = (code: string) => new EngineUnavailable(code);
const turnedAway = "did_not_answer_lately";

describe("the breaker", () => {
  it("B20: refused searches are their sender's, however many, and open nothing", async () => {
    const scene = createScene();
    for (let i = 0; i < 200; i += 1) {
      await scene.failing(new EngineRefused("malformed_payload", "lone surrogate"));
      expect(await scene.search()).toBe("answer");
    }
    expect(scene.probes).toBe(0);
  });

  it("B20: searches that time out beside an engine that answers open nothing", async () => {
    const scene = createScene();
    // One visitor sends what times out, one after another; nobody else is there.
    for (let i = 0; i < 50; i += 1) {
      scene.nowMs += 1500;
      await scene.failing(unavailable("timeout"));
      await settled();
    }
    expect(scene.probes).toBe(50);
    expect(await scene.search()).toBe("answer");
  });

  it("B20: searches that are one too many open nothing", async () => {
    const scene = createScene();
    for (let i = 0; i < 200; i += 1) await scene.failing(unavailable("too_many_search_requests"));
    expect(await scene.search()).toBe("answer");
  });

  it("opens at once when there is no connection, and asks nothing until the pause is over", async () => {
    const scene = createScene();
    await scene.failing(unavailable("no_answer"));
    for (let i = 0; i < 10; i += 1) await expect(scene.search()).rejects.toThrow(turnedAway);
    expect([scene.asked, scene.probes]).toEqual([1, 0]);
  });

  it("opens when a search times out and the probe does too, and closes when the probe is answered", async () => {
    const scene = createScene();
    scene.probe = "timeout";
    await scene.failing(unavailable("timeout"));
    await settled();
    await expect(scene.search()).rejects.toThrow(turnedAway);
    scene.nowMs += 500;
    await expect(scene.search()).rejects.toThrow(turnedAway);
    await settled();
    scene.probe = "answers";
    scene.nowMs += 5000;
    await expect(scene.search()).rejects.toThrow(turnedAway);
    await settled();
    expect(await scene.search()).toBe("answer");
    expect(scene.asked).toBe(2);
  });

  it("opens when half of all searches of the last seconds fail, and not when fewer do", async () => {
    const rare = createScene();
    for (let i = 0; i < 100; i += 1) {
      await rare.failing(unavailable("internal"));
      await rare.search();
      await rare.search();
    }
    const frequent = createScene();
    for (let i = 0; i < 10; i += 1) {
      await frequent.failing(unavailable("internal"));
      if (i < 9) await frequent.search();
    }
    await expect(frequent.search()).rejects.toThrow(turnedAway);
  });

  it("forgets failures that are older than its window", async () => {
    const scene = createScene();
    for (let i = 0; i < 50; i += 1) {
      scene.nowMs += 1200;
      await scene.failing(unavailable("internal"));
    }
    expect(await scene.search()).toBe("answer");
  });
});
