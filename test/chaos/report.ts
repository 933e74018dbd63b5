import type { Verdict } from "./checks/checker.ts";

export interface Report {
  /** Adds a round's verdicts; true when all thirteen hold. */
  add(round: string, verdicts: readonly Verdict[]): boolean;
  fail(round: string, fault: string): void;
  /** One line an invariant, and each failure. */
  lines(): string[];
  failures(): number;
}

export function createReport(): Report {
  const last = new Map<number, { verdict: Verdict; checks: number; broken: number }>();
  const failures: string[] = [];
  return {
    add(round, verdicts) {
      let holds = true;
      for (const verdict of verdicts) {
        const { checks = 0, broken = 0 } = last.get(verdict.number) ?? {};
        const isBroken = verdict.violations.length > 0;
        last.set(verdict.number, {
          verdict,
          checks: checks + 1,
          broken: broken + Number(isBroken),
        });
        for (const text of verdict.violations) {
          failures.push(`${round}: ${verdict.number}. ${verdict.name}: ${text}`);
        }
        holds &&= !isBroken;
      }
      return holds;
    },
    fail: (round, fault) => void failures.push(`${round}: ${fault}`),
    lines: () => [
      ...[...last.values()].map(({ verdict, checks, broken }) => {
        const state = broken === 0 ? "holds" : `BROKEN ${broken} times`;
        return `${String(verdict.number).padStart(2)}. ${verdict.name.padEnd(23)} ${state}, ${checks} checks; ${verdict.seen}`;
      }),
      ...failures.map((failure) => `VIOLATION  ${failure}`),
    ],
    failures: () => failures.length,
  };
}
