import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { choosePort } from "./server.ts";

it("the former port is taken again, also if a server that was ended frees it late", async () => {
  const folder = await mkdtemp(join(tmpdir(), "port-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const former = createServer();
  await once(former.listen(0, "127.0.0.1"), "listening");
  const address = former.address();
  const port = typeof address === "object" ? address?.port : null;
  const file = join(folder, "port");
  await writeFile(file, String(port));
  const sleep = async () => void (former.listening && (await once(former.close(), "close")));
  expect(await choosePort(file, { ...systemClock, sleep })).toBe(port);
});
