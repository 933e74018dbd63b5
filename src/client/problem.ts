export interface ParameterFault {
  parameter: string;
  message: string;
}

/** A refusal or failure, with the members of the API's problem document. */
export class KurabeProblem extends Error {
  override readonly name = "KurabeProblem";
  readonly status: number;
  /** Stable, for programs, such as `invalid_parameters`. */
  readonly code: string;
  /** For people. */
  readonly detail: string;
  /** Every parameter that cannot be used; empty for other problems. */
  readonly errors: readonly ParameterFault[];
  /** The id of the request in the log of the API. */
  readonly request_id: string | null;
  /** The whole body, with members such as `gone_at`. */
  readonly body: unknown;

  constructor(response: Response, body: unknown) {
    const told = isRecord(body) ? body : {};
    const detail = textOf(told.detail) ?? textOf(told.message) ?? `HTTP ${response.status}`;
    super(detail);
    this.status = response.status;
    this.code = textOf(told.code) ?? `http_${response.status}`;
    this.detail = detail;
    this.errors = Array.isArray(told.errors) ? told.errors : [];
    this.request_id = textOf(told.request_id) ?? response.headers.get("X-Request-Id");
    this.body = body;
  }
}

interface Answered {
  data?: unknown;
  error?: unknown;
  response: Response;
}
type DataOf<T> = T extends { data: infer Data; error?: never } ? Data : never;

/** The data of an answer: `await orThrow(client.GET(…))`. Throws a KurabeProblem for everything else. */
export async function orThrow<T extends Answered>(sent: Promise<T>): Promise<DataOf<T>> {
  const { data, error, response } = await sent;
  if (!response.ok) throw new KurabeProblem(response, error);
  // Safe: an answer that is `ok` has data; that of a 204 is undefined, as its type says.
  return data as DataOf<T>;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
