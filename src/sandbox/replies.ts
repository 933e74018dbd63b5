import { toErrorBody, type ApiError, type ApiErrorCode } from "./api-errors.ts";

/** Sections 1 and 7: JSON, status 200 or 400. */
export function jsonReply(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
  });
}

export function refusalReply(error: ApiErrorCode): Response {
  return jsonReply(400, toErrorBody(error));
}

export function errorReply({ code, description, headers }: ApiError): Response {
  return jsonReply(400, toErrorBody(code, description), headers);
}
