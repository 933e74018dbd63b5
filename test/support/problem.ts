import { expect } from "vitest";

interface ProblemBody {
  code: string;
  request_id: string;
  errors: { parameter: string; message: string }[];
}

/** The body of a refusal, which must not be cacheable. */
export async function problemOf(response: Response): Promise<ProblemBody> {
  expect(response.headers.get("Content-Type")).toBe("application/problem+json; charset=utf-8");
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  return response.json() as Promise<ProblemBody>;
}
