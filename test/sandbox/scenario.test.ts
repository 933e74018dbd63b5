import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { loadScenario } from "../../src/sandbox/load.ts";
import { toScenarioEvent } from "../../src/sandbox/scenario/events.ts";
import { runScenario } from "../../src/sandbox/scenario/run.ts";
import type { RunningSandbox } from "../../src/sandbox/server.ts";
import { createTestClock } from "../support/clock.ts";
import { until } from "../support/until.ts";
import { ownerOf } from "./owner.ts";
import { closers, start } from "./start.ts";

const wallet = { title: "見本の財布", price: 3000, stock: 5, category: "革小物" };
const cup = { title: "見本の湯呑み", price: 1200, stock: 1 };
const days = [
  {
    day: 1,
    time: "09:00",
    owner: "demo-1",
    do: "open",
    products: [wallet, cup],
  },
  { day: 1, time: "18:00", owner: "demo-1", do: "restock", title: cup.title, stock: 8 },
  { day: 2, time: "00:00", owner: "demo-1", do: "sale", percent: 20, hours: 24 },
  { day: 2, time: "12:00", owner: "demo-1", do: "rename", title: cup.title, to: "新しい名" },
  { day: 4, time: "20:00", owner: "demo-1", do: "close" },
];

function stateOf(sandbox: RunningSandbox) {
  return [...sandbox.catalog.ofShop("demo-1")].map((item) => [
    item.title,
    item.price,
    item.proper_price,
    item.stock,
    item.visible,
  ]);
}

async function folder() {
  const path = await mkdtemp(join(tmpdir(), "scenario-"));
  closers.push(() => rm(path, { recursive: true }));
  return path;
}

describe("a scenario", () => {
  it("lets owners open, restock, hold a sale at midnight, rename and close, through the public operations", async () => {
    const sandbox = await start({ products: 20 });
    const clock = createTestClock();
    const told: string[] = [];
    const ended = runScenario({
      events: days.map(toScenarioEvent),
      clientOf: (login) => ownerOf(sandbox, login),
      clock,
      speed: 3600,
      signal: new AbortController().signal,
      tell: (line) => told.push(line),
    });
    /** Moves the scenario on to the next event and waits until it has happened. */
    const next = async (hours: number) => {
      const before = told.length;
      await until(() => clock.sleepers() === 1, { what: "the scenario to wait" });
      await clock.advance(hours * 1000);
      await until(() => told.length > before, { what: "the event" });
      return stateOf(sandbox);
    };
    const cupOf = (title: string, price: number, proper: number | null, stock: number) => [
      title,
      price,
      proper,
      stock,
      1,
    ];
    const walletOf = (price: number, proper: number | null) => [wallet.title, price, proper, 5, 1];
    expect(await next(9)).toEqual([walletOf(3000, null), cupOf(cup.title, 1200, null, 1)]);
    expect(await next(9)).toEqual([walletOf(3000, null), cupOf(cup.title, 1200, null, 8)]);
    expect(await next(6)).toEqual([walletOf(2400, 3000), cupOf(cup.title, 960, 1200, 8)]);
    expect(await next(12)).toEqual([walletOf(2400, 3000), cupOf("新しい名", 960, 1200, 8)]);
    expect(await next(12)).toEqual([walletOf(3000, null), cupOf("新しい名", 1200, null, 8)]);
    const closed = await next(44);
    expect(closed.map(([, , , , visible]) => visible)).toEqual([0, 0]);
    expect(await ended).toEqual({ done: 6, failed: 0 });
    expect(told[2]).toBe("day 2 00:00  demo-1  sale: 2 products");
    const [first] = [...sandbox.catalog.ofShop("demo-1")];
    expect(must(first, "a product").categories).toEqual(["革小物"]);
  });

  it("tells what failed and goes on", async () => {
    const sandbox = await start({ products: 20 });
    const told: string[] = [];
    const at = { day: 1, time: "00:00" };
    const result = await runScenario({
      events: [
        toScenarioEvent({ ...at, owner: "nobody", do: "close" }),
        toScenarioEvent({ ...at, owner: "demo-2", do: "open", products: [cup] }),
      ],
      clientOf: (login) => ownerOf(sandbox, login),
      clock: systemClock,
      speed: 3600,
      signal: new AbortController().signal,
      tell: (line) => told.push(line),
    });
    expect(result).toEqual({ done: 1, failed: 1 });
    expect(told[0]).toContain("nobody could not sign in");
    expect([...sandbox.catalog.ofShop("demo-2")]).toHaveLength(1);
  });

  it("is read as an array or line by line, in time order", async () => {
    const path = await folder();
    const [array, lines] = [join(path, "days.json"), join(path, "days.jsonl")];
    await writeFile(array, JSON.stringify(days.toReversed(), null, 2));
    await writeFile(lines, days.map((day) => `${JSON.stringify(day)}\n`).join("\n"));
    const expected = days.map(toScenarioEvent);
    expect(await loadScenario(array)).toEqual(expected);
    expect(await loadScenario(lines)).toEqual(expected);
  });

  it.each([
    ["days.json", '[{"day":1,"time":"09:00","owner":"a","do":"close"},{"day":1}]', "event 2"],
    ["days.jsonl", '\n{"day":1,"time":"09:00","owner":"a","do":"burn"}', "line 2"],
    ["days.json", "[", "the array"],
  ])("that cannot be read is refused with its place: %s", async (name, text, place) => {
    const file = join(await folder(), name);
    await writeFile(file, text);
    await expect(loadScenario(file)).rejects.toThrow(`${name}, ${place}: `);
  });
});
