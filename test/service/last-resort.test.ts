import { spawn, type ChildProcess } from "node:child_process";
import { connect, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { onceStarted } from "../support/once-started.ts";
import { killStarted, spawnKurabe } from "../support/processes.ts";
import { until } from "../support/until.ts";

const sockets: Socket[] = [];
const servers: ChildProcess[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.kill("SIGKILL");
  await killStarted();
});

describe("the last resort", () => {
  it.each([
    ["a rejection nobody handles", "Promise.reject(new Error('unforeseen'))"],
    ["an exception in a timer", "(() => { throw new Error('unforeseen') })()"],
  ])("P7: %s is said and ends the process with a failure", async (_, code) => {
    const kurabe = spawnKurabe(["sandbox", "--in-memory", "--port", "0"], {
      env: onceStarted(code),
    });
    expect(await kurabe.ended).toBe(1);
    expect(kurabe.stderr()).toContain("kurabe: unexpected failure");
    expect(kurabe.stderr()).toContain("unforeseen");
  });

  it("P9: a crowd of connections is shed before it takes all descriptors, and when it is gone all are served again", async () => {
    const limited = 'ulimit -n 128 && exec "$0" --import tsx "$1"';
    const script = fileURLToPath(new URL("../support/few-descriptors.ts", import.meta.url));
    const server = spawn("sh", ["-c", limited, process.execPath, script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    servers.push(server);
    let output = "";
    server.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const url = (await until(() => /http:\S+/.exec(output), { what: "the address" }))[0];
    const hello = async () =>
      (
        await fetch(url, { headers: { connection: "close" }, signal: AbortSignal.timeout(2000) })
      ).text();
    expect(await hello()).toBe("hello");
    const { port } = new URL(url);
    for (let i = 0; i < 300; i += 1) {
      const socket = connect(Number(port), "127.0.0.1");
      socket.on("error", () => socket.destroy());
      sockets.push(socket);
    }
    const refused = () => sockets.filter((socket) => socket.destroyed).length;
    await until(() => refused() > 150, { what: "connections to be shed" });
    for (const socket of sockets.splice(0)) socket.destroy();
    expect(await until(hello, { what: "an answer" })).toBe("hello");
    expect(output).not.toContain("EMFILE");
  });
});
