import fc from "fast-check";
import { inject } from "vitest";

/** Of property tests in `npm test`: the same examples each time, so that a failure is of the change. */
const USUAL_SEED = 1;

const { PROPERTY_SEED } = process.env;
const isRandom = PROPERTY_SEED === undefined && inject("long");
if (!isRandom) fc.configureGlobal({ seed: Number(PROPERTY_SEED ?? USUAL_SEED) });
