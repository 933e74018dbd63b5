import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";

/** A new secret of an endpoint: 32 random bytes, as Standard Webhooks writes them. */
export function createSecret(): string {
  return `${prefix}${randomBytes(32).toString("base64")}`;
}

export interface Message {
  /** The same at each attempt, so that the receiver can tell repetitions. */
  id: string;
  body: string;
}

/** The headers of Standard Webhooks 1.0; one signature for each secret. */
export function signedHeaders(
  { id, body }: Message,
  secrets: readonly string[],
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}
