import type { z } from "@hono/zod-openapi";
import type { ApiDeps } from "./deps.ts";
import type { freshnessSchema } from "./route.ts";

type ReadSource = Pick<z.infer<typeof freshnessSchema>, "read_from" | "replica_lag_s">;

/** To be called before an answer's reads; the result states where they went, and how far behind that may be. */
export function beginReads({
  replica,
  clock,
}: Pick<ApiDeps, "replica" | "clock">): () => ReadSource {
  if (replica === null) return () => ({});
  const wasUsed = replica.isUsed();
  const completeToMs = replica.completeToMs();
  return () => {
    if (!wasUsed && !replica.isUsed()) return { read_from: "primary" };
    if (completeToMs === null) return { read_from: "replica", replica_lag_s: null };
    const lagSeconds = (clock.monotonicMs() - completeToMs) / 1000;
    return { read_from: "replica", replica_lag_s: Math.ceil(lagSeconds * 10) / 10 };
  };
}
