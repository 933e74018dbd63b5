// Exit code 0: the process of this container is alive. A worker needs HEALTH_PORT for that.
import { env } from "node:process";

const port = env.HEALTH_PORT || env.PORT || "3000";
const { ok } = await fetch(`http://127.0.0.1:${port}/healthz`, {
  signal: AbortSignal.timeout(2000),
});
if (!ok) process.exitCode = 1;
