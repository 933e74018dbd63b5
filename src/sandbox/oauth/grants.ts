import { createHash } from "node:crypto";
import { z } from "zod";
import { ApiError } from "../api-errors.ts";
import { lifetimes } from "../assumptions.ts";
import { scopes, type Scope } from "../scopes.ts";
import { type Journal, createRecords } from "../state/journal.ts";
import { digest, isSameText, newSecret } from "./secrets.ts";

const grantFacts = {
  shop_id: z.string(),
  client_id: z.string(),
  scopes: z.array(z.enum(scopes)),
  /** One sign-in with all its codes and tokens. */
  family: z.string(),
  /** Unix seconds. */
  expires: z.int(),
  spent: z.boolean(),
};
const codeRecord = z.object({
  ...grantFacts,
  redirect_uri: z.string(),
  /** RFC 7636, S256; null: none was sent. */
  challenge: z.string().nullable(),
});
const tokenRecord = z.object({ ...grantFacts, kind: z.enum(["access", "refresh"]) });

interface CodeRequest {
  shopId: string;
  clientId: string;
  redirectUri: string;
  scopes: Scope[];
  challenge: string | null;
}

export type Grants = ReturnType<typeof createGrants>;

/** Codes and tokens, stored only as digests. */
export function createGrants(journal: Journal, nowSeconds: () => number) {
  const codes = createRecords(journal, "code", codeRecord);
  const tokens = createRecords(journal, "token", tokenRecord);
  type Token = z.infer<typeof tokenRecord>;

  /** RFC 6749 section 6: a new refresh token keeps all scopes, even if fewer were requested now. */
  function issue(from: Omit<Token, "expires" | "spent" | "kind">, granted: Scope[]) {
    const { shop_id, client_id, family } = from;
    const facts = { shop_id, client_id, family, spent: false };
    const now = nowSeconds();
    const newToken = (kind: Token["kind"], scopes: Scope[], seconds: number) => {
      const token = newSecret();
      tokens.put(digest(token), { ...facts, kind, scopes, expires: now + seconds });
      return token;
    };
    return {
      access_token: newToken("access", granted, lifetimes.accessToken),
      token_type: "bearer",
      expires_in: lifetimes.accessToken,
      refresh_token: newToken("refresh", from.scopes, lifetimes.refreshToken),
      scope: granted.join(" "),
    };
  }

  function endFamily(family: string): void {
    for (const [id, token] of tokens.entries()) {
      if (token.family === family) tokens.put(id, { ...token, spent: true });
    }
  }

  return {
    issueCode({ shopId, clientId, redirectUri, scopes, challenge }: CodeRequest): string {
      const code = newSecret();
      codes.put(digest(code), {
        shop_id: shopId,
        client_id: clientId,
        redirect_uri: redirectUri,
        scopes,
        challenge,
        family: newSecret(),
        expires: nowSeconds() + lifetimes.code,
        spent: false,
      });
      return code;
    },
    /** Throws `invalid_grant`. A code that is used twice revokes its tokens (RFC 6749 section 4.1.2). */
    spendCode(
      code: string,
      proof: { clientId: string; redirectUri: string; verifier: string | null },
    ) {
      const id = digest(code);
      const found = codes.get(id);
      if (!found || found.client_id !== proof.clientId || found.expires <= nowSeconds()) {
        throw new ApiError("invalid_grant");
      }
      if (found.spent) {
        endFamily(found.family);
        throw new ApiError("invalid_grant");
      }
      if (found.redirect_uri !== proof.redirectUri || !isProven(found.challenge, proof.verifier)) {
        throw new ApiError("invalid_grant");
      }
      codes.put(id, { ...found, spent: true });
      return issue(found, found.scopes);
    },
    /** Throws `invalid_grant` or `invalid_scope`. A refresh token that is used twice ends its whole sign-in. */
    refresh(token: string, { clientId, scopes }: { clientId: string; scopes: Scope[] | null }) {
      const id = digest(token);
      const found = tokens.get(id);
      const isOurs = found?.kind === "refresh" && found.client_id === clientId;
      if (!isOurs || found.expires <= nowSeconds()) throw new ApiError("invalid_grant");
      if (found.spent) {
        endFamily(found.family);
        throw new ApiError("invalid_grant");
      }
      if (scopes?.some((scope) => !found.scopes.includes(scope))) {
        throw new ApiError("invalid_scope");
      }
      tokens.put(id, { ...found, spent: true });
      return issue(found, scopes ?? found.scopes);
    },
    /** null: the token is unknown or no longer valid. */
    find(accessToken: string): { shopId: string; scopes: readonly Scope[] } | null {
      const found = tokens.get(digest(accessToken));
      if (found?.kind !== "access" || found.spent || found.expires <= nowSeconds()) return null;
      return { shopId: found.shop_id, scopes: found.scopes };
    },
    /** Forgets what has expired. */
    prune(): void {
      const now = nowSeconds();
      for (const records of [codes, tokens]) {
        for (const [id, { expires }] of records.entries()) {
          if (expires <= now) records.remove(id);
        }
      }
    },
  };
}

function isProven(challenge: string | null, verifier: string | null): boolean {
  if (challenge === null) return verifier === null;
  if (verifier === null) return false;
  return isSameText(createHash("sha256").update(verifier).digest("base64url"), challenge);
}
