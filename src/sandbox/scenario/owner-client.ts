import type { z } from "zod";
import { errorEnvelope } from "../../storefront/wire.ts";
import type { Clock } from "../../lib/clock.ts";
import { renew, signIn, type OwnerAccess, type TokenAnswer } from "./owner-sign-in.ts";

/** A call that was refused, with the service's code. */
class CallRefused extends Error {
  override readonly name = "CallRefused";
}

/** The application of one owner: signs in at the first call and refreshes its token. */
export interface OwnerClient {
  get<T>(path: string, params: Record<string, string>, schema: z.ZodType<T>): Promise<T>;
  post<T>(path: string, form: Record<string, string>, schema: z.ZodType<T>): Promise<T>;
}

/** A token that expires within this time is refreshed before use. */
const RENEW_BEFORE_MS = 60_000;

export function createOwnerClient(access: OwnerAccess, clock: Clock): OwnerClient {
  const fetcher = access.fetch ?? fetch;
  let token: { answer: TokenAnswer; endsAtMs: number } | null = null;

  async function accessToken(): Promise<string> {
    if (!token || clock.monotonicMs() >= token.endsAtMs - RENEW_BEFORE_MS) {
      const answer = token ? await renew(access, token.answer.refresh_token) : await signIn(access);
      token = { answer, endsAtMs: clock.monotonicMs() + answer.expires_in * 1000 };
    }
    return token.answer.access_token;
  }

  async function call<T>(path: string, init: RequestInit, schema: z.ZodType<T>): Promise<T> {
    const answer = await fetcher(`${access.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${await accessToken()}` },
    });
    const body: unknown = await answer.json();
    if (answer.status === 200) return schema.parse(body);
    const { error, error_description } = errorEnvelope.parse(body);
    throw new CallRefused(`${path}: ${error} (${error_description ?? ""})`);
  }

  return {
    get: (path, params, schema) =>
      call(`${path}?${new URLSearchParams(params).toString()}`, {}, schema),
    post: (path, form, schema) =>
      call(path, { method: "POST", body: new URLSearchParams(form) }, schema),
  };
}
