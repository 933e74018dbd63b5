/** The listening server alone; prints its address. To be run where few files may be open. */
import { Hono } from "hono";
import { listen } from "../../src/service/listen.ts";

const app = new Hono().get("/", (c) => c.text("hello"));
const { url } = await listen(app.fetch, { host: "127.0.0.1", port: 0 });
process.stdout.write(`${url}\n`);
