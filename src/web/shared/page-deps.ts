import type { ApiDeps } from "../../api/http/deps.ts";
import type { Lanes } from "../../api/http/lanes.ts";
import type { TokenGate } from "../../api/ops/token-gate.ts";
import type { Assets } from "./assets.ts";

/** What pages need: everything of the API, and the assets. */
export interface PageDeps extends ApiDeps {
  assets: Assets;
  /** Shared with the ops API, so that wrong tokens at both count together. */
  gate: TokenGate;
  /** Shared with the API's expensive searches. */
  lanes: Lanes;
}
