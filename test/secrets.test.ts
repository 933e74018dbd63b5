import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { backUp } from "../src/db/backup/backup.ts";
import { systemClock } from "../src/lib/clock.ts";
import { startSandbox } from "../src/sandbox/server.ts";
import { killStarted } from "./support/processes.ts";
import { until } from "./support/until.ts";
import { startWholeKurabe } from "./support/whole-kurabe.ts";

afterEach(killStarted);

const clientId = "canary-id+7f3a/of kurabe";
const clientSecret = "canary-s3cr&t=9c1e+of kurabe";
const opsToken = "canary-token-0123456789-0123456789-0123456789";

const wrongKey = `kurabe_${"c0ffee".repeat(8)}`;

/** Uses an API key and a wrong one in every way, right or not; returns the key and every answer after its creation. */
async function useKey(url: string): Promise<{ key: string; used: string[] }> {
  const headers = { authorization: `Bearer ${opsToken}`, "content-type": "application/json" };
  const body = JSON.stringify({ name: "canary", per_minute: 3 });
  const created = await fetch(`${url}/ops/v1/keys`, { method: "POST", headers, body });
  const { key } = (await created.json()) as { key: string };
  const used: string[] = [];
  for (const text of [key, wrongKey]) {
    const attempts: [string, RequestInit][] = [
      ["/v1/shops", { headers: { "X-Api-Key": text } }],
      ["/v1/nowhere", { headers: { Authorization: `Bearer ${text}` } }],
      [`/v1/shops?api_key=${text}`, {}],
      ["/v1/products/lookup", { method: "POST", headers: { "X-Api-Key": text }, body: text }],
      ["/meili/multi-search", { method: "POST", headers: { "X-Api-Key": text }, body: "{}" }],
      ["/v1/shops", { headers: { "X-Api-Key": text } }],
      ["/ops/v1/keys", { headers: { Authorization: `Bearer ${text}` } }],
      ["/ops/v1/keys", { headers }],
      ["/ops/v1/audit", { headers }],
      ["/metrics", {}],
    ];
    for (const [path, init] of attempts) {
      const answer = await fetch(`${url}${path}`, init);
      used.push(JSON.stringify([...answer.headers]), await answer.text());
    }
  }
  expect(used.join("")).toContain('"name":"canary"');
  expect(used.join("")).toContain("too_many_requests");
  return { key, used };
}

/** Every form in which a secret could have been written. */
function formsOf(secret: string): string[] {
  return [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ s: secret }).toString().slice(2),
    Buffer.from(secret).toString("base64"),
  ];
}

describe("secrets", () => {
  it("S2, S3: are in no log at any level, metric, answer, table or argument, whatever went wrong", async () => {
    const upstream = await startSandbox({
      clock: systemClock,
      live: false,
      products: 100,
      clientId,
      clientSecret,
    });
    onTestFinished(upstream.close);
    // Failures in a row double the pause: few of them, so that the test is short.
    const faults = ["html", "redirect", "reset", "wrong_types"] as const;
    for (const fault of faults) upstream.control.faults.fail(fault, 1);
    const { test, dir, kurabe, url } = await startWholeKurabe(upstream, {
      OPS_TOKEN: opsToken,
      STOREFRONT_CLIENT_ID: clientId,
      STOREFRONT_CLIENT_SECRET: clientSecret,
      LOG_LEVEL: "trace",
      LOG_FORMAT: "json",
    });
    const asked = () => upstream.control.calls.all().length;
    await until(() => asked() > faults.length + 3, {
      what: "calls after the faults",
    });
    upstream.control.faults.fail("auth_error", 5);
    const headers = { authorization: `Bearer ${opsToken}` };
    const run = await fetch(`${url}/ops/v1/jobs/feed/run`, { method: "POST", headers });
    expect([200, 201, 202, 409]).toContain(run.status);
    await until(
      async () =>
        (await (await fetch(`${url}/ops/v1/pause`, { headers })).text()).includes("auth_error"),
      { what: "the credentials to be refused" },
    );
    const answers = await Promise.all(
      ["/metrics", "/v1/status", "/v1/products", "/openapi.json", "/nowhere?client_secret=x"].map(
        async (path) => (await fetch(`${url}${path}`)).text(),
      ),
    );
    const ops = await Promise.all(
      ["calls?limit=1000", "quarantine", "pause", "jobs", "budget", "plan"].map(async (path) =>
        (await fetch(`${url}/ops/v1/${path}`, { headers })).text(),
      ),
    );
    const { key, used } = await useKey(url);
    const cmdline = readFileSync(`/proc/${kurabe.pid}/cmdline`, "utf8");
    kurabe.kill("SIGTERM");
    expect(await kurabe.ended).toBe(0);

    const folder = `${dir}-dump`;
    await backUp(test.url, folder, systemClock.now());
    const dump = await Promise.all(
      (await readdir(folder)).map(async (file) => {
        const bytes = await readFile(`${folder}/${file}`);
        return (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
      }),
    );
    const places = { log: kurabe.stdout() + kurabe.stderr(), answers, ops, used, cmdline, dump };
    expect(places.log.length).toBeGreaterThan(1000);
    expect(dump.join("").length).toBeGreaterThan(50_000);
    for (const [place, texts] of Object.entries(places)) {
      for (const form of [clientId, clientSecret, opsToken, key, wrongKey].flatMap(formsOf)) {
        expect([place, [texts].flat().some((text) => text.includes(form))]).toEqual([place, false]);
      }
    }
  });
});
