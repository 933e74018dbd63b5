import fc from "fast-check";
import { expect, it } from "vitest";
import { chooseEndpoints, type DueEndpoint } from "./choose.ts";

const bounds = { all: 8, held: 3, perEndpoint: 4, spare: 1 };
const none = { byEndpoint: new Map<number, number>(), all: 0, held: 0 };
const due = (webhookId: number, fault?: "failing" | "slow"): DueEndpoint => ({
  webhookId,
  isFailing: fault === "failing",
  isSlow: fault === "slow",
});

it("gives each endpoint one before any gets more, those first that waited longest for a turn", () => {
  const served = new Map([
    [1, 7],
    [2, 5],
  ]);
  expect(chooseEndpoints([due(1), due(2), due(3)], none, { ...bounds, all: 5 }, served)).toEqual([
    { webhookId: 3, n: 2 },
    { webhookId: 2, n: 1 },
    { webhookId: 1, n: 1 },
  ]);
});

it("gives a failing endpoint one at a time, and all of them no more than their share", () => {
  const failing = [1, 2, 3, 4, 5].map((id) => due(id, "failing"));
  const choices = chooseEndpoints([...failing, due(6)], none, bounds, new Map());
  expect(choices).toEqual([
    { webhookId: 1, n: 1 },
    { webhookId: 2, n: 1 },
    { webhookId: 3, n: 1 },
    { webhookId: 6, n: 4 },
  ]);
  const flights = { byEndpoint: new Map([[1, 1]]), all: 1, held: 1 };
  expect(chooseEndpoints([due(1, "failing")], flights, bounds, new Map())).toEqual([]);
});

it("gives all slow endpoints together no more than that share", () => {
  const slow = [1, 2].map((id) => due(id, "slow"));
  expect(chooseEndpoints([...slow, due(3)], none, bounds, new Map())).toEqual([
    { webhookId: 1, n: 2 },
    { webhookId: 2, n: 1 },
    { webhookId: 3, n: 4 },
  ]);
});

it("keeps some places for endpoints with nothing under way", () => {
  expect(chooseEndpoints([due(1), due(2)], none, bounds, new Map())).toEqual([
    { webhookId: 1, n: 4 },
    { webhookId: 2, n: 3 },
  ]);
  const flights = {
    byEndpoint: new Map([
      [1, 4],
      [2, 3],
    ]),
    all: 7,
    held: 0,
  };
  expect(chooseEndpoints([due(2), due(3)], flights, bounds, new Map())).toEqual([
    { webhookId: 3, n: 1 },
  ]);
});

it("never passes a bound, and leaves nothing free that somebody could use", () => {
  const endpoint = fc.record({
    isFailing: fc.boolean(),
    isSlow: fc.boolean(),
    flying: fc.nat({ max: 4 }),
  });
  fc.assert(
    fc.property(fc.array(endpoint, { maxLength: 12 }), fc.nat({ max: 12 }), (endpoints, others) => {
      const byEndpoint = new Map(endpoints.map(({ flying }, id) => [id, flying]));
      const sum = endpoints.reduce((n, { flying }) => n + flying, 0);
      const isHeld = (id: number) => Boolean(endpoints[id]?.isFailing || endpoints[id]?.isSlow);
      const held = endpoints.reduce((n, { flying }, id) => n + (isHeld(id) ? flying : 0), 0);
      const flights = { byEndpoint, all: sum + others, held };
      const all = endpoints.map((one, webhookId) => ({ webhookId, ...one }));
      const choices = chooseEndpoints(all, flights, bounds, new Map());
      const chosen = new Map(choices.map(({ webhookId, n }) => [webhookId, n]));
      const total = choices.reduce((n, one) => n + one.n, 0);
      const heldNow = held + choices.reduce((n, one) => n + (isHeld(one.webhookId) ? one.n : 0), 0);
      expect(total).toBeLessThanOrEqual(Math.max(0, bounds.all - flights.all));
      expect(heldNow).toBeLessThanOrEqual(Math.max(held, bounds.held));
      const most = (id: number) => (all[id]?.isFailing ? 1 : bounds.perEndpoint);
      for (const { webhookId, n } of choices) {
        expect((byEndpoint.get(webhookId) ?? 0) + n).toBeLessThanOrEqual(most(webhookId));
      }
      const free = bounds.all - flights.all - total;
      const wanting = endpoints.flatMap((_, id) => {
        const flying = (byEndpoint.get(id) ?? 0) + (chosen.get(id) ?? 0);
        const kept = flying > 0 ? bounds.spare : 0;
        return isHeld(id) || flying >= most(id) || free <= kept ? [] : [id];
      });
      expect(wanting).toEqual([]);
    }),
  );
});
