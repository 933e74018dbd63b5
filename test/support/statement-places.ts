import { watchPlaces } from "../../src/bench/scale/statements.ts";

/** Of all statements of this worker: a place is looked up once for all its files. */
export const places = watchPlaces();
