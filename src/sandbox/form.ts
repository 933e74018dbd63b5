import { ApiError } from "./api-errors.ts";

const MOST_BYTES = 1024 * 1024;

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
    if (bytes > MOST_BYTES) throw new ApiError("bad_params", "リクエストが大きすぎます。");
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}
