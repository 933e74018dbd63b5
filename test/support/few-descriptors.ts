/** The listening server alone; prints its address, and each failure to open a file. To be run where few may be open. */
import { open } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Hono } from "hono";
import { listen } from "../../src/service/listen.ts";

const app = new Hono().get("/", (c) => c.text("hello"));
const { url } = await listen(app.fetch, { host: "127.0.0.1", port: 0 });
process.stdout.write(`${url}\n`);
const openOne = async () => (await open(fileURLToPath(import.meta.url))).close();
setInterval(() => {
  openOne().catch((error: Error) => process.stdout.write(`${error.message}\n`));
}, 5);
