import type { IncomingMessage } from "node:http";

/** Values that middleware sets for the handlers. */
export interface ApiEnv {
  Variables: {
    requestId: string;
    /** The API key of the request; null for none. */
    keyId: number | null;
    /** Whether it is for pages, which show it to everybody. */
    isKeyOfPages: boolean;
    /** Who signed in to ops, and from where; set by the gate of the API and of the console. */
    operator: { operator: string; address: string };
  };
  /** Node's own request; undefined if the app runs without a server. */
  Bindings: { incoming?: IncomingMessage };
}
