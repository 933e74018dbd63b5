import { relative } from "node:path";
import type { Reporter } from "vitest/node";

/**
 * Prints by name every test that needed its second try. Such a test passes, so nothing else would
 * tell of it, and what fails one time in two would stay.
 */
export const secondTries: Reporter = {
  onTestRunEnd(modules) {
    const lines = modules.flatMap((module) => {
      const file = relative(process.cwd(), module.moduleId);
      return [...module.children.allTests()]
        .filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0)
        .map((test) => `needed a second try: ${file} > ${test.fullName}\n`);
    });
    process.stdout.write(`${lines.join("")}tests that needed a second try: ${lines.length}\n`);
  },
};
