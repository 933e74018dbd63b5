import type { IncomingMessage } from "node:http";

/** What middleware leaves for the handlers behind it. */
export interface ApiEnv {
  Variables: { requestId: string };
  /** Node's own request; absent where the app is asked without a server. */
  Bindings: { incoming?: IncomingMessage };
}
