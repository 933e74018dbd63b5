import { once } from "node:events";
import type { Server } from "node:net";
import { must } from "../../src/lib/must.ts";

export interface Listening {
  port: number;
  url: string;
  close(): Promise<void>;
}

/** Lets a server listen on this port of the loopback, by default a free one. Throws if the port is taken. */
export async function listenOnLoopback(
  server: Server & { closeAllConnections?(): void },
  port = 0,
): Promise<Listening> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const bound = must(typeof address === "object" ? address?.port : null, "a port");
  return {
    port: bound,
    url: `http://127.0.0.1:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections?.();
      }),
  };
}
