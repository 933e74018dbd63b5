import type { PlannedCall } from "./planned-call.ts";

type Operation = PlannedCall["operation"];

/** So many failures of so many shops or keywords, each after a good answer of the other operation: the operation fails. */
const failuresNeeded = 8;
const subjectsNeeded = 3;
/** Then one call of it in so many finds out whether it is good again. */
const oneIn = 50;

/**
 * Notices that one operation fails whatever it is asked, while the other one answers: shops that back off one by one
 * would take half of the day's calls.
 */
export function watchOperations() {
  const fresh = () => ({
    failures: 0,
    subjects: new Set<string>(),
    isOtherGood: false,
    callsSince: 0,
  });
  const seen = { search: fresh(), refresh: fresh() };
  const isFailing = (operation: Operation) => {
    const { failures, subjects, callsSince } = seen[operation];
    return failures >= failuresNeeded && subjects.size >= subjectsNeeded && callsSince < oneIn;
  };

  return {
    /** The outcome of a call. */
    note(call: PlannedCall, isGood: boolean): void {
      const { operation } = call;
      const other = seen[operation === "search" ? "refresh" : "search"];
      other.callsSince += 1;
      if (isGood) {
        other.isOtherGood = true;
        seen[operation] = fresh();
        return;
      }
      const own = seen[operation];
      if (own.isOtherGood) {
        own.failures += 1;
        own.subjects.add(call.operation === "search" ? call.params.q : call.shopId);
      }
      own.isOtherGood = false;
      own.callsSince = 0;
    },
    /** Without the calls of an operation that fails, if there are others. */
    able<Call extends PlannedCall>(calls: readonly Call[]): readonly Call[] {
      const left = calls.filter((call) => !isFailing(call.operation));
      return left.length > 0 ? left : calls;
    },
  };
}
