import fc from "fast-check";
import { expect, it } from "vitest";
import { chooseEndpoints, type DueEndpoint } from "./choose.ts";

const bounds = { all: 8, failing: 3, perEndpoint: 4 };
const none = { byEndpoint: new Map<number, number>(), all: 0, failing: 0 };
const due = (webhookId: number, isFailing = false): DueEndpoint => ({ webhookId, isFailing });

it("gives each endpoint one before any gets more, those first that waited longest for a turn", () => {
  const served = new Map([
    [1, 7],
    [2, 5],
  ]);
  expect(chooseEndpoints([due(1), due(2), due(3)], none, { ...bounds, all: 4 }, served)).toEqual([
    { webhookId: 3, n: 2 },
    { webhookId: 2, n: 1 },
    { webhookId: 1, n: 1 },
  ]);
});

it("gives a failing endpoint one at a time, and all of them no more than their share", () => {
  const failing = [1, 2, 3, 4, 5].map((id) => due(id, true));
  const choices = chooseEndpoints([...failing, due(6)], none, bounds, new Map());
  expect(choices).toEqual([
    { webhookId: 1, n: 1 },
    { webhookId: 2, n: 1 },
    { webhookId: 3, n: 1 },
    { webhookId: 6, n: 4 },
  ]);
  const flights = { byEndpoint: new Map([[1, 1]]), all: 1, failing: 1 };
  expect(chooseEndpoints([due(1, true)], flights, bounds, new Map())).toEqual([]);
});

it("never passes a bound, and leaves nothing free that somebody could use", () => {
  const endpoint = fc.record({ isFailing: fc.boolean(), flying: fc.nat({ max: 4 }) });
  fc.assert(
    fc.property(fc.array(endpoint, { maxLength: 12 }), fc.nat({ max: 12 }), (endpoints, others) => {
      const byEndpoint = new Map(endpoints.map(({ flying }, id) => [id, flying]));
      const sum = endpoints.reduce((n, { flying }) => n + flying, 0);
      const failing = endpoints.reduce((n, one) => n + (one.isFailing ? one.flying : 0), 0);
      const flights = { byEndpoint, all: sum + others, failing };
      const all = endpoints.map(({ isFailing }, id) => due(id, isFailing));
      const choices = chooseEndpoints(all, flights, bounds, new Map());
      const chosen = new Map(choices.map(({ webhookId, n }) => [webhookId, n]));
      const total = choices.reduce((n, one) => n + one.n, 0);
      expect(total).toBeLessThanOrEqual(Math.max(0, bounds.all - flights.all));
      const most = (id: number) => (all[id]?.isFailing ? 1 : bounds.perEndpoint);
      for (const { webhookId, n } of choices) {
        expect((byEndpoint.get(webhookId) ?? 0) + n).toBeLessThanOrEqual(most(webhookId));
      }
      const isFull = flights.all + total >= bounds.all;
      const healthy = endpoints.flatMap((one, id) => (one.isFailing ? [] : [id]));
      const wanting = healthy.filter(
        (id) => (byEndpoint.get(id) ?? 0) + (chosen.get(id) ?? 0) < most(id),
      );
      expect(isFull || wanting.length === 0).toBe(true);
    }),
  );
});
