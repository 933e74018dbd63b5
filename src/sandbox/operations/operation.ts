import type { z } from "zod";
import type { Marketplace } from "../market/marketplace.ts";
import type { Shop } from "../market/shops.ts";
import type { Scope } from "../scopes.ts";
import { readParameters, type Input, type Parameters, type RawParameters } from "./parameters.ts";

/** One row of section 4's table. */
interface Facts {
  /** Ours, for links; the specification gives operations no names. */
  id: string;
  method: "GET" | "POST";
  path: string;
  purpose: string;
  parameters: Parameters;
  /** The body of a 200; null where the answer is a page. */
  answer: z.ZodType | null;
}

export interface Call {
  market: Marketplace;
  shop: Shop;
  scopes: readonly Scope[];
}

/** Sent with an access token. */
export interface BearerOperation extends Facts {
  access: "bearer";
  /** Which one is assumed throughout (section 5.2). */
  scope: Scope;
  /** The body of a 200; throws an `ApiError`. */
  run(raw: RawParameters, call: Call): unknown;
}

/** Answered by other routes: `search` with Search's own credentials, `oauth` to get a token. */
export interface OtherOperation extends Facts {
  access: "search" | "oauth";
}

export type Operation = BearerOperation | OtherOperation;

type Typed<P extends Parameters> = Omit<BearerOperation, "access" | "parameters" | "run"> & {
  parameters: P;
  run(input: Input<P>, call: Call): unknown;
};

export function bearer<P extends Parameters>(operation: Typed<P>): BearerOperation {
  return {
    ...operation,
    access: "bearer",
    run: (raw, call) => operation.run(readParameters(operation.parameters, raw), call),
  };
}
