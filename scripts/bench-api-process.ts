import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface BenchApi {
  url: string;
  child: ChildProcess;
}

const thisCheckout = fileURLToPath(new URL("..", import.meta.url));

/** Starts one server of the benchmarks as a process of its own; its environment says which. */
export async function startBenchApi(
  settings: Record<string, string>,
  checkout = thisCheckout,
): Promise<BenchApi> {
  const script = join(checkout, "scripts/bench-api-server.ts");
  const child = fork(script, [], {
    env: { ...process.env, ...settings },
    execArgv: ["--import", "tsx"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("message", (message) => resolve(typeof message === "string" ? message : ""));
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { url, child };
}
