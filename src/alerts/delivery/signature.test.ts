import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { createSecret, signedHeaders } from "./signature.ts";

const now = new Date();
const message = { id: "msg_1", body: '{"type":"price_drop","data":{"title":"鞄 €"}}' };

it("signs as Standard Webhooks 1.0 verifies", () => {
  const secret = createSecret();
  const headers = signedHeaders(message, [secret], now);
  expect(new Webhook(secret).verify(message.body, headers)).toEqual(JSON.parse(message.body));
  expect(() => new Webhook(createSecret()).verify(message.body, headers)).toThrow();
  expect(() => new Webhook(secret).verify(`${message.body} `, headers)).toThrow();
  expect(() =>
    new Webhook(secret).verify(message.body, { ...headers, "webhook-id": "msg_2" }),
  ).toThrow();
});

it("signs with two secrets while one replaces the other", () => {
  const secrets = [createSecret(), createSecret()];
  const headers = signedHeaders(message, secrets, now);
  for (const secret of secrets) {
    expect(new Webhook(secret).verify(message.body, headers)).toBeTruthy();
  }
});

it("makes secrets of 32 bytes", () => {
  const secret = createSecret();
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(createSecret()).not.toBe(secret);
});
