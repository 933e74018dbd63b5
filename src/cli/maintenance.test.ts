import { expect, it } from "vitest";
import { forAll } from "../crawl/safety/pause.ts";
import { describeCrawl } from "./maintenance.ts";

const now = new Date("2026-03-01T00:00:00Z");
const blockUntil = (until: string) => ({
  ...forAll(new Date(until)),
  code: "http_503",
  failures: 1,
  reason: "status 503",
});

it.each([
  ["paused by ops", { paused: true }],
  [
    "waiting until 2026-03-01T00:00:01.000Z: http_503, status 503",
    { block: blockUntil("2026-03-01T00:00:01Z") },
  ],
  ["about to try again: http_503, status 503", { block: blockUntil("2026-03-01T00:00:00Z") }],
  ["no keywords, so nothing is found", { canFind: false }],
  ["free to run, but not what waits after failed calls", { waits: true }],
  ["free to run", {}],
])("status says of the crawl: %s", (text, state) => {
  const { paused, block, canFind, waits } = {
    paused: false,
    block: null,
    canFind: true,
    waits: false,
    ...state,
  };
  const crawl = { paused, block, believedUntil: null };
  expect(describeCrawl(crawl, { canFind, waits, now })).toMatch(text);
});
