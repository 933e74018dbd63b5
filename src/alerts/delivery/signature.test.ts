import { readFile } from "node:fs/promises";
import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { createSecret, signedHeaders } from "./message.ts";

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

it("is verified by the code in infra/alerts.md", async () => {
  const text = await readFile(new URL("../../../infra/alerts.md", import.meta.url), "utf8");
  const [, code = ""] = /^```js\n(.*?)^```$/ms.exec(text) ?? [];
  const documented: { isFromKurabe(headers: object, body: string, secret: string): boolean } =
    await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const [former, secret] = [createSecret(), createSecret()];
  const verify = (headers: object, body = message.body, by = secret) =>
    documented.isFromKurabe(headers, body, by);
  const headers = signedHeaders(message, [secret], now);
  expect(verify(headers)).toBe(true);
  expect(verify(signedHeaders(message, [secret, former], now), message.body, former)).toBe(true);
  expect(verify(headers, `${message.body} `)).toBe(false);
  expect(verify(headers, message.body, former)).toBe(false);
  expect(verify({ ...headers, "webhook-id": "msg_2" })).toBe(false);
  const anHourAgo = new Date(now.getTime() - 3_600_000);
  expect(verify(signedHeaders(message, [secret], anHourAgo))).toBe(false);
});

it("makes secrets of 32 bytes", () => {
  const secret = createSecret();
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(createSecret()).not.toBe(secret);
});
