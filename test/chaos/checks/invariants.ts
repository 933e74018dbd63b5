import { checkCounts } from "./counts.ts";
import type { Invariant } from "./evidence.ts";
import { checkFreshness, checkHistory } from "./history.ts";
import { checkContent, checkLag, checkTombstones } from "./index-content.ts";
import { checkBudget, checkConservation, checkEvidence } from "./ledger.ts";
import { checkLeaders, checkStuck } from "./order.ts";
import { checkOutside, checkSecrets } from "./outside.ts";

const hard = { isPatient: false };
const patient = { isPatient: true };

/** What has to hold after every fault, whatever it was. */
export const invariants: readonly Invariant[] = [
  { number: 1, name: "budget", ...hard, check: checkBudget },
  { number: 2, name: "conservation", ...hard, check: checkConservation },
  { number: 3, name: "mirror lag", ...patient, check: checkLag },
  { number: 4, name: "index = store", ...patient, check: checkContent },
  { number: 5, name: "no tombstone visible", ...patient, check: checkTombstones },
  { number: 6, name: "history", ...hard, check: checkHistory },
  { number: 7, name: "one leader", ...hard, check: checkLeaders },
  { number: 8, name: "deletion has evidence", ...hard, check: checkEvidence },
  { number: 9, name: "freshness", ...patient, check: checkFreshness },
  { number: 10, name: "nothing stuck", ...patient, check: checkStuck },
  { number: 11, name: "secret nowhere", ...hard, check: checkSecrets },
  { number: 12, name: "outside view", ...patient, check: checkOutside },
  { number: 13, name: "kept counts", ...hard, check: checkCounts },
];
