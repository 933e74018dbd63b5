import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { freePort } from "./free-port.ts";
import { until } from "./until.ts";

export interface Pgbouncer {
  url: string;
  /** Ends it at once; every session through it breaks. */
  kill(): Promise<void>;
  /** After `kill`: again on the same address. */
  restart(): void;
  close(): Promise<void>;
}

/** The program on PATH, or where Debian has it. Throws if there is none. */
export function findPgbouncer(): string {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
  const program = folders.map((folder) => join(folder, "pgbouncer")).find(existsSync);
  if (program === undefined)
    throw new Error("this test needs pgbouncer: on Debian, `apt-get install pgbouncer`");
  return program;
}

/** A pgbouncer in transaction mode with so many connections to the database. */
export async function startPgbouncer(options: {
  program: string;
  databaseUrl: string;
  connections: number;
}): Promise<Pgbouncer> {
  const { program } = options;
  // Not in a folder of ours: another user has to reach it.
  const dir = await mkdtemp(join(tmpdir(), "kurabe-pgbouncer-"));
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
    "admin_users = kurabe",
    "ignore_startup_parameters = extra_float_digits,statement_timeout,client_connection_check_interval",
    "pool_mode = transaction",
    "max_client_conn = 500",
    `default_pool_size = ${options.connections}`,
    // The connections go round, so that no session is met twice by chance.
    "server_round_robin = 1",
  ];
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
  await until(
    async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
      return answers(port);
    },
    { what: "pgbouncer to listen", timeoutMs: 10_000 },
  );
  return {
    url: `postgres://kurabe@127.0.0.1:${port}/kurabe`,
    kill: () => stop("SIGKILL"),
    restart() {
      child = start();
    },
    async close() {
      await stop("SIGINT");
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
