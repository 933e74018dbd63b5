import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { secondTries } from "./test/support/second-tries.ts";

const withServers = {
  include: ["test/**/*.test.{ts,tsx}"],
  globalSetup: ["test/support/global-setup.ts"],
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // Dozens of processes share the machine with them: one more try, which `second-tries.ts` prints by name: a fault to mend.
  retry: 1,
};

/** `npm test` runs a short form of these, told by `inject("long")`; `npm run test:long` runs them whole. */
const hasLongForm = [
  "test/memory.test.ts",
  "test/start-faults.test.ts",
  "test/first-searches.test.ts",
  "test/catalog/loss-guard.test.ts",
  "test/chaos/chaos.test.ts",
  "test/chaos/lasting/lasting.test.ts",
  "test/crawl/lasting-failures.test.ts",
  "test/crawl/starvation.test.ts",
  "test/db/driver.test.ts",
];

export default defineConfig({
  test: {
    reporters: ["default", secondTries],
    // Tests against servers mostly wait: one worker a core would leave the machine idle.
    maxWorkers: Math.max(3, availableParallelism()),
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.{ts,tsx}", "scripts/**/*.test.ts"],
          testTimeout: 60_000,
        },
      },
      { test: { ...withServers, name: "server", provide: { long: false } } },
      { test: { ...withServers, name: "long", include: hasLongForm, provide: { long: true } } },
    ],
  },
});
