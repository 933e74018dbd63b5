/** Told of each answer that a test gets of Kurabe; returns what is wrong with it, if anything. */
export type AnswerCheck = (request: SentRequest, answer: Response) => Promise<string | null>;

export interface SentRequest {
  method: string;
  path: string;
}

const state: { check: AnswerCheck; origins: Set<string>; faults: string[] } = {
  check: async () => null,
  origins: new Set(),
  faults: [],
};

/** Without a check (outside of tests) answers are passed on as they are. */
export function checkAnswersWith(check: AnswerCheck): void {
  state.check = check;
}

/** The answer, once it is checked; throws if it is not as described. */
export async function checked(request: SentRequest, answer: Response): Promise<Response> {
  const fault = await state.check(request, answer);
  if (fault !== null) throw new Error(fault);
  return answer;
}

/** The same where a browser or another process reads the answer: the fault fails the running test. */
export async function watched(request: SentRequest, answer: Response): Promise<Response> {
  const fault = await state.check(request, answer);
  if (fault !== null) state.faults.push(fault);
  return answer;
}

/** A server of this process checks its answers itself. */
export function checksItself(origin: string): void {
  state.origins.add(origin);
}

/** The faults of the watched answers since the last time. */
export function takeFaults(): string[] {
  return state.faults.splice(0);
}

const isWatching = Symbol("answers are watched");

/** Watches the answers of other processes. Only Kurabe sends this header. */
export function watchFetch(): void {
  if (isWatching in globalThis.fetch) return;
  const plain = globalThis.fetch;
  const watching: typeof fetch = async (input, init) => {
    const answer = await plain(input, init);
    const { origin, pathname, search } = new URL(answer.url);
    if (!answer.headers.has("X-Request-Id") || state.origins.has(origin)) return answer;
    const method = init?.method ?? (input instanceof Request ? input.method : "GET");
    return watched({ method, path: pathname + search }, answer);
  };
  globalThis.fetch = Object.assign(watching, { [isWatching]: true });
}
