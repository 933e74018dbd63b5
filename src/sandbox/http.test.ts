import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { ApiError } from "./api-errors.ts";
import { requireHttps } from "./http.ts";

async function outcome(socket: { remoteAddress?: string; encrypted?: boolean }) {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(requireHttps);
  app.get("/", (c) => c.text("answered"));
  app.onError((error, c) => c.text(error instanceof ApiError ? error.code : "failed"));
  return (await app.request("/", {}, { incoming: { socket } })).text();
}

describe("requireHttps", () => {
  it.each([
    [{ remoteAddress: "127.0.0.1" }, "answered"],
    [{ remoteAddress: "127.1.2.3" }, "answered"],
    [{ remoteAddress: "::1" }, "answered"],
    [{ remoteAddress: "::ffff:127.0.0.1" }, "answered"],
    [{ remoteAddress: "192.0.2.7" }, "https_required"],
    [{ remoteAddress: "::ffff:192.0.2.7" }, "https_required"],
    [{ remoteAddress: "2001:db8::1" }, "https_required"],
    [{}, "https_required"],
    [{ remoteAddress: "192.0.2.7", encrypted: true }, "answered"],
  ])("of %j: %s", async (socket, expected) => {
    expect(await outcome(socket)).toBe(expected);
  });
});
