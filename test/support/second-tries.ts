import { relative } from "node:path";
import type { Reporter, TestCase } from "vitest/node";

/**
 * Prints the names of tests that needed a second try, and why. Such tests pass, so otherwise a test that
 * fails half of the time would stay unnoticed.
 */
export const secondTries: Reporter = {
  onTestRunEnd(modules) {
    const lines = modules.flatMap((module) => {
      const file = relative(process.cwd(), module.moduleId);
      return [...module.children.allTests()]
        .filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0)
        .map((test) => `needed a second try: ${file} > ${test.fullName}\n${reasonsOf(test)}`);
    });
    process.stdout.write(`${lines.join("")}tests that needed a second try: ${lines.length}\n`);
  },
};

const reasonsOf = (test: TestCase) =>
  (test.result().errors ?? []).map(({ message }) => `  because: ${message}\n`).join("");
