import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { longFirstPagesLast } from "./test/support/file-order.ts";
import { rarelyCompiled } from "./test/support/rarely-compiled.ts";
import { secondTries } from "./test/support/second-tries.ts";

/** A worker reads the modules once, not anew for each file. */
const isolate = false;

/** Compare every answer that a test gets with the OpenAPI description, and every statement with what `bench scale` knows; the seed of property tests. */
const setupFiles = [
  "test/support/check-answers.ts",
  "test/support/known-statements.ts",
  "test/support/property-seed.ts",
];

/** Without Postgres and Meilisearch. */
const unit = ["src/**/*.test.{ts,tsx}", "scripts/**/*.test.ts"];

/** A young generation of garbage that is large enough for what one test makes: less of it is copied again and again. */
const execArgv = [...rarelyCompiled, "--max-semi-space-size=64"];

/** What is waited for may take its time where other processes have the processor. */
const expectOptions = { poll: { timeout: 20_000 } };

const withServers = {
  isolate,
  expect: expectOptions,
  execArgv,
  setupFiles,
  include: ["test/**/*.test.{ts,tsx}"],
  globalSetup: ["test/support/global-setup.ts"],
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // Dozens of processes share the machine with them: one more try, which `second-tries.ts` prints by name: a fault to mend.
  retry: 1,
};

/** Runs in `npm run test:long` alone. */
const onlyLong = "test/**/*.long.test.ts";
/** `npm test` runs a short form of files that ask for `inject("long")` or have an `itLong`; `npm run test:long` runs them whole. */
const hasLongForm = filesWith(/inject\("long"\)|itLong\(/);
/** They compare paces or watch a process for minutes: beside other files they would measure these too. */
const measuring = [
  "test/chaos/lasting/lasting.test.ts",
  "test/service/lost-worker.long.test.ts",
  "test/service/memory.test.ts",
];
const opensPages = filesWith(/openChromium|shopWindowForAll|openConsole/);

function filesWith(text: RegExp): string[] {
  return readdirSync("test", { recursive: true, encoding: "utf8" })
    .map((file) => join("test", file))
    .filter((file) => file.endsWith(".test.ts") && text.test(readFileSync(file, "utf8")));
}

export default defineConfig({
  test: {
    // A module that has not changed since the last run is not compiled again.
    experimental: { fsModuleCache: true },
    reporters: ["default", secondTries],
    sequence: { sequencer: longFirstPagesLast(hasLongForm, opensPages) },
    // Tests against servers mostly wait: one worker a core would leave the machine idle.
    maxWorkers: Math.max(4, availableParallelism()),
    projects: [
      {
        test: {
          name: "unit",
          isolate,
          expect: expectOptions,
          execArgv,
          setupFiles,
          include: unit,
          provide: { long: false },
          testTimeout: 60_000,
          // They only compute: more workers than cores would read more modules.
          maxWorkers: availableParallelism(),
        },
      },
      {
        test: {
          ...withServers,
          name: "all",
          include: [...unit, ...withServers.include],
          exclude: [onlyLong],
          provide: { long: false },
        },
      },
      {
        test: {
          ...withServers,
          name: "long",
          include: [onlyLong, ...hasLongForm],
          exclude: measuring,
          provide: { long: true },
        },
      },
      {
        test: {
          ...withServers,
          name: "long-measuring",
          include: measuring,
          provide: { long: true },
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
