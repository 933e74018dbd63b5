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

const mostBytes = 1024 * 1024;

/** The form of a POST (section 1); throws `bad_params` for another content type, or for too much. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/x-www-form-urlencoded") {
    throw new ApiError(
      "bad_params",
      "Content-Type: application/x-www-form-urlencodedを指定してください。",
    );
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) throw new ApiError("bad_params", "リクエストが大きすぎます。");
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

/** Sections 1 and 7: JSON, status 200 or 400. */
export function jsonReply(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Response {
  return Response.json(body, {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
  });
}
