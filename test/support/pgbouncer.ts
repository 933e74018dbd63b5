import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "./free-port.ts";

export interface Pgbouncer {
  url: string;
  /** Ends it at once; every session through it breaks. */
  kill(): Promise<void>;
  /** After `kill`: again on the same address. */
  restart(): void;
  close(): Promise<void>;
}

/** A pgbouncer in transaction mode with so many connections to the database. `dir`: may not exist yet. */
export async function startPgbouncer(options: {
  program: string;
  databaseUrl: string;
  dir: string;
  connections: number;
}): Promise<Pgbouncer> {
  const { program, dir } = options;
  const to = new URL(options.databaseUrl);
  const port = await freePort();
  const file = join(dir, "pgbouncer.ini");
  const lines = [
    "[databases]",
    `kurabe = host=${to.hostname} port=${to.port} dbname=${to.pathname.slice(1)} user=${to.username} password='${decodeURIComponent(to.password)}'`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    "max_client_conn = 500",
    `default_pool_size = ${options.connections}`,
    // The connections go round, so that no session is met twice by chance.
    "server_round_robin = 1",
  ];
  await mkdir(dir, { recursive: true });
  await writeFile(file, `${lines.join("\n")}\n`, { mode: 0o600 });
  // pgbouncer refuses to run as root.
  const nobody = 65_534;
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await Promise.all([chmod(dir, 0o711), chown(file, nobody, nobody)]);
  const start = () =>
    spawn(program, ["-q", file], {
      stdio: ["ignore", "ignore", "inherit"],
      ...(isRoot ? { uid: nobody, gid: nobody } : {}),
    });
  let child: ChildProcess = start();
  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }
  return {
    url: `postgres://kurabe@127.0.0.1:${port}/kurabe`,
    kill: () => stop("SIGKILL"),
    restart() {
      child = start();
    },
    close: () => stop("SIGINT"),
  };
}
