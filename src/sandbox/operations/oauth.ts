import { z } from "zod";
import { scopes } from "../scopes.ts";
import type { OtherOperation } from "./operation.ts";
import { assumed } from "./parameters.ts";

const text = z.string();
const clientId = assumed(text, "the application's client id");
const secret = {
  client_id: clientId,
  client_secret: assumed(text, "the application's client secret; or both as HTTP Basic"),
};

const tokens = z.object({
  access_token: text,
  token_type: z.literal("bearer"),
  expires_in: z.int().describe("seconds"),
  refresh_token: text,
  scope: text.describe("what was granted, separated by spaces"),
});

/** RFC 6749 sections 4.1 and 6, RFC 7636; answered by the routes of `oauth/`. */
export const oauthOperations: OtherOperation[] = [
  {
    id: "oauth-authorize",
    method: "GET",
    path: "/1/oauth/authorize",
    purpose: "obtain an authorization code",
    access: "oauth",
    parameters: {
      response_type: assumed(z.literal("code"), "how the answer comes"),
      client_id: clientId,
      redirect_uri: assumed(text, "where the browser is sent; registered for the application"),
      scope: assumed(text.optional(), `of ${scopes.join(", ")}; separated by spaces`),
      state: assumed(text.optional(), "comes back unchanged"),
      code_challenge: assumed(text.optional(), "RFC 7636"),
      code_challenge_method: assumed(z.literal("S256").optional(), "with code_challenge"),
    },
    answer: null,
  },
  {
    id: "oauth-token-code",
    method: "POST",
    path: "/1/oauth/token",
    purpose: "exchange an authorization code for an access token",
    access: "oauth",
    parameters: {
      grant_type: assumed(z.literal("authorization_code"), "which exchange"),
      ...secret,
      code: assumed(text, "the authorization code; works once"),
      redirect_uri: assumed(text, "the same as for the code"),
      code_verifier: assumed(text.optional(), "when the code was asked for with a challenge"),
    },
    answer: tokens,
  },
  {
    id: "oauth-token-refresh",
    method: "POST",
    path: "/1/oauth/token",
    purpose: "exchange a refresh token for an access token",
    access: "oauth",
    parameters: {
      grant_type: assumed(z.literal("refresh_token"), "which exchange"),
      ...secret,
      refresh_token: assumed(text, "the refresh token; works once"),
      scope: assumed(text.optional(), "fewer scopes than were granted"),
    },
    answer: tokens,
  },
];
