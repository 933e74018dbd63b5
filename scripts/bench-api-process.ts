import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface BenchApi {
  url: string;
  child: ChildProcess;
}

/** One server of the benchmarks as a process of its own; the settings say which. */
export async function startBenchApi(settings: Record<string, string>): Promise<BenchApi> {
  const script = fileURLToPath(new URL("bench-api-server.ts", import.meta.url));
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
