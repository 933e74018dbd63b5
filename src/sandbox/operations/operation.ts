import type { z } from "zod";
import { must } from "../../lib/must.ts";
import type { Marketplace } from "../market/marketplace.ts";
import type { Shop } from "../market/shops.ts";
import { scopes, type Scope } from "../scopes.ts";
import { readParameters, type Input, type Parameters, type Sent } from "./parameters.ts";

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
  scope: Scope;
  /** The body of a 200; throws an `ApiError`. */
  run(sent: Sent, call: Call): unknown;
}

/** Answered by other routes: `search` with Search's own credentials, `oauth` to get a token. */
export interface OtherOperation extends Facts {
  access: "search" | "oauth";
}

export type Operation = BearerOperation | OtherOperation;

/** How an operation is written down. Its body is `answer`'s part of what `run` returns. */
interface Written<P extends Parameters> {
  id?: string;
  parameters: P;
  answer: z.ZodType;
  run(input: Input<P>, call: Call): unknown;
}

/** Makes operations of a group: reading needs its read scope, changing its write scope (section 5.2: assumed). */
export function operationsOf(group: "users" | "items" | "orders" | "savings") {
  return <P extends Parameters>(
    call: `${Facts["method"]} /1/${string}`,
    purpose: string,
    { id, parameters, answer, run }: Written<P>,
  ): BearerOperation => {
    const method = call.startsWith("GET") ? "GET" : "POST";
    const path = call.slice(method.length + 1);
    const name = `${method === "GET" ? "read" : "write"}_${group}`;
    return {
      id: id ?? path.replaceAll(/^\/1\/|\/:\w+$/g, "").replaceAll(/[/_]/g, "-"),
      method,
      path,
      purpose,
      parameters,
      answer,
      access: "bearer",
      scope: must(
        scopes.find((scope) => scope === name),
        "a scope",
      ),
      run: (sent, of) => answer.parse(run(readParameters(parameters, sent), of)),
    };
  };
}
