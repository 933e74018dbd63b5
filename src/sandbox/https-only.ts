import type { HttpBindings } from "@hono/node-server";
import type { Context, Next } from "hono";
import { ApiError } from "./api-errors.ts";

/** Section 1: HTTPS only. Calls from this machine need none. Throws `https_required`. */
export async function requireHttps(
  c: Context<{ Bindings: HttpBindings }>,
  next: Next,
): Promise<void> {
  const { socket } = c.env.incoming;
  const isEncrypted = "encrypted" in socket && socket.encrypted === true;
  const isLocal = /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? "");
  if (!isEncrypted && !isLocal) throw new ApiError("https_required");
  await next();
}
