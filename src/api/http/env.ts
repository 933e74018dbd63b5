import type { IncomingMessage } from "node:http";

/** Values that middleware sets for the handlers. */
export interface ApiEnv {
  Variables: {
    requestId: string;
    /** The API key of the request; null for none. */
    keyId: number | null;
  };
  /** Node's own request; undefined if the app runs without a server. */
  Bindings: { incoming?: IncomingMessage };
}
