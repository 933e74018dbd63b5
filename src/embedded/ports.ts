import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { must } from "../lib/must.ts";
import { unlessMissing } from "../lib/unless-missing.ts";
import { errorCode } from "./errors.ts";

/** The port that the server used last, read from `file`; null if there is none. */
export async function readPort(file: string): Promise<number | null> {
  const port = Number(await unlessMissing(readFile(file, "utf8")));
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
}

/**
 * A free loopback port, if possible the former one. Then old connection strings stay valid, and
 * running processes find the server again after a crash.
 */
export async function choosePort(file: string): Promise<number> {
  const before = await readPort(file);
  const port = (before && (await tryPort(before))) || must(await tryPort(0), "a free port");
  await writeFile(file, String(port), { mode: 0o600 });
  return port;
}

async function tryPort(port: number): Promise<number | null> {
  const server = createServer();
  try {
    await once(server.listen({ port, host: "127.0.0.1", exclusive: true }), "listening");
  } catch (error) {
    if (errorCode(error) === "EADDRINUSE") return null;
    throw error;
  }
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : null;
}
