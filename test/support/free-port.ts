import { createServer } from "node:net";
import { must } from "../../src/lib/must.ts";

/** A loopback port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return must(typeof address === "object" ? address?.port : null, "a port");
}
