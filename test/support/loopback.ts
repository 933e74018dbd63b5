import type { Server } from "node:net";
import { must } from "../../src/lib/must.ts";

export interface Listening {
  port: number;
  url: string;
  close(): Promise<void>;
}

/** Lets a server listen on a free port of the loopback. */
export async function listenOnLoopback(
  server: Server & { closeAllConnections?(): void },
): Promise<Listening> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = must(typeof address === "object" ? address?.port : null, "a port");
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections?.();
      }),
  };
}
