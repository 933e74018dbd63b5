import type { ApiDeps } from "../../api/http/deps.ts";
import type { Lanes } from "../../api/http/lanes.ts";
import type { TokenGate } from "../../api/ops/token-gate.ts";
import type { Assets } from "./assets.ts";

/** What pages are made from: all the API has, and the files they load. */
export interface PageDeps extends ApiDeps {
  assets: Assets;
  /** The one that the ops API asks too, so that guesses at both doors count together. */
  gate: TokenGate;
  /** Where the API's expensive searches wait too. */
  lanes: Lanes;
}
