import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";

const script = `
  import { closing } from ${JSON.stringify(import.meta.resolve("./closing.ts"))};
  const close = (name) => async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    console.log(name);
  };
  await closing(close("folder"), () => closing(close("server"), async () => {
    console.error("open");
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  }));`;

it("an interrupted script closes what it has opened, the last first, however often the signal comes", async () => {
  const args = ["--import", "tsx", "--input-type=module", "--eval", script];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const output = text(child.stdout);
  const ended = once(child, "exit");
  await once(child.stderr, "data");
  child.kill("SIGINT");
  child.kill("SIGTERM");
  expect([await output, ...(await ended)]).toEqual(["server\nfolder\n", 1, null]);
});
