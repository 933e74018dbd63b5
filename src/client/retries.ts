export type Fetch = (request: Request) => Promise<Response>;
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export interface RetryOptions {
  /** How often a request is sent again, at most. */
  retries: number;
  /** The longest time to wait before one of them; a longer `Retry-After` ends the tries. */
  maxWaitMs: number;
  sleep: Sleep;
}

const idempotent = new Set(["GET", "HEAD", "PUT", "DELETE"]);
/** They change nothing, or nothing more if they are sent twice. */
const safePosts = /\/(lookup|refresh|search|multi-search|facet-search|what-if)$/;
const firstWaitMs = 500;

/**
 * Sends requests again that were answered 429 or 503, after the time that `Retry-After` says, else after
 * one that doubles. Returns the last answer, whatever it is. A network failure is passed on at once.
 */
export function withRetries(fetch: Fetch, { retries, maxWaitMs, sleep }: RetryOptions): Fetch {
  return async (request) => {
    if (!isRepeatable(request)) return fetch(request);
    for (let sent = 0; ; sent += 1) {
      const isLast = sent === retries;
      const answer = await fetch(isLast ? request : request.clone());
      if (isLast || (answer.status !== 429 && answer.status !== 503)) return answer;
      const waitMs = retryAfterMs(answer) ?? firstWaitMs * 2 ** sent;
      if (waitMs > maxWaitMs) return answer;
      await answer.body?.cancel();
      await sleep(waitMs, request.signal);
    }
  };
}

function isRepeatable({ method, url }: Request): boolean {
  return idempotent.has(method) || (method === "POST" && safePosts.test(new URL(url).pathname));
}

/** Seconds or a date, by RFC 9110 section 10.2.3; null if the header is missing or unreadable. */
function retryAfterMs(answer: Response): number | null {
  const given = answer.headers.get("Retry-After");
  if (given === null) return null;
  if (/^\d+$/.test(given)) return Number(given) * 1000;
  const at = Date.parse(given);
  return Number.isNaN(at) ? null : Math.max(0, at - new Date().getTime());
}

/** Rejects with the signal's reason once it is aborted. */
export function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
