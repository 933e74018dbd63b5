// Exit code 0: the API of this container answers. For a worker turn the check off: it ends if it cannot go on.
import { env } from "node:process";

const { ok } = await fetch(`http://127.0.0.1:${env.PORT || "3000"}/healthz`, {
  signal: AbortSignal.timeout(2000),
});
if (!ok) process.exitCode = 1;
