import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { secondTries } from "./test/support/second-tries.ts";

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
      {
        test: {
          name: "server",
          include: ["test/**/*.test.{ts,tsx}"],
          globalSetup: ["test/support/global-setup.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // Dozens of processes share the machine with them: one more try, which `second-tries.ts` prints by name: a fault to mend.
          retry: 1,
        },
      },
    ],
  },
});
