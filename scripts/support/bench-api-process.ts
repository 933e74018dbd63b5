import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ScratchServers } from "./servers.ts";

interface BenchApi {
  url: string;
  child: ChildProcess;
}

const thisCheckout = fileURLToPath(new URL("../..", import.meta.url));

/** Starts one server of the benchmarks as a process of its own; `settings` say which. */
export async function startBenchApi(
  { databaseUrl, meili }: Pick<ScratchServers, "databaseUrl" | "meili">,
  settings: Record<string, string> = {},
  checkout = thisCheckout,
): Promise<BenchApi> {
  const servers = { BENCH_DATABASE_URL: databaseUrl, BENCH_MEILI: JSON.stringify(meili) };
  const script = join(checkout, "scripts/bench-api-server.ts");
  const child = fork(script, [], {
    env: { ...process.env, ...servers, ...settings },
    execArgv: ["--import", "tsx"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("message", (message) => resolve(typeof message === "string" ? message : ""));
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { url, child };
}
