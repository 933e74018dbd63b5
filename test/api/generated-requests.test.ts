import fc from "fast-check";
import { expect, inject, it } from "vitest";
import { ensureJobs } from "../../src/crawl/budget/jobs.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createSearch } from "../../src/search/search.ts";
import { takeFaults } from "../support/answer-check.ts";
import { createTestApi, opsToken } from "../support/api.ts";
import { storeGenerated } from "../support/generated.ts";
import { createRequests, type GeneratedRequest } from "../support/generated-requests.ts";
import { itLong } from "../support/it-long.ts";
import { createKey } from "../support/keys.ts";
import { createTestMirror, drain } from "../support/mirror.ts";
import { openedForAll } from "../support/opened.ts";
import { readDocument } from "../support/openapi.ts";

const seed = 20_261_122;
const atOnce = 10;
const batches = inject("long") ? 250 : 10;

const test = openedForAll(createTestMirror);
let key: string;
const served = openedForAll(async () => {
  await ensureJobs(test.db, systemClock.now());
  await storeGenerated(test.db, "2026-01-01T00:00:00Z", 200);
  await drain(test.db, test.start(), test.indexPrefix);
  const search = createSearch({ ...test, searchDb: test.db, clock: systemClock });
  const api = createTestApi(test.db, search);
  ({ key } = await createKey(api, {}));
  return api.listen();
});

/** Sends it; throws for a failure of the server and for an answer that is not as described. */
async function send({ method, path, headers, body }: GeneratedRequest): Promise<number> {
  const answer = await fetch(served.url + path, { method, headers, body, redirect: "manual" });
  await answer.body?.cancel();
  if (answer.status >= 500) throw new Error(`${method} ${path} answered ${answer.status}`);
  return answer.status;
}

/** A request of the examples that the description has, with this query besides. */
function exampleRequest(
  { path, method, operation }: ReturnType<typeof createRequests>["operations"][number],
  more: Record<string, string> = {},
): GeneratedRequest {
  const { parameters = [], requestBody, security = [] } = operation;
  const body = requestBody?.content?.["application/json"]?.example;
  const exampleOf = (name: string) =>
    encodeURIComponent(String(parameters.find((one) => one.name === name)?.example));
  const query = parameters.filter((one) => one.in === "query" && one.example !== undefined);
  const search = new URLSearchParams([
    ...query.map(({ name, example }): [string, string] => [name, String(example)]),
    ...Object.entries(more),
  ]);
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleOf(name));
  return {
    method: method.toUpperCase(),
    path: `${address}?${search.toString()}`,
    headers: {
      ...(security.some((one) => "opsToken" in one)
        ? { Authorization: `Bearer ${opsToken}` }
        : { "X-Api-Key": key }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  };
}

it("every documented example of a request is answered as described", async () => {
  const { operations } = createRequests(await readDocument());
  for (const operation of operations) {
    const { method, path } = operation;
    const status = await send(exampleRequest(operation));
    // The example is of a product, file or job that need not be here; nothing else is wrong with it.
    expect([method, path, status]).toEqual([
      method,
      path,
      expect.toSatisfy((is: number) => is < 400 || is === 404 || is === 409),
    ]);
    expect(takeFaults()).toEqual([]);
  }
});

it("every route of /v1 and /ops/v1 refuses a parameter that it does not describe", async () => {
  const { operations } = createRequests(await readDocument());
  const taken: string[] = [];
  for (const operation of operations.filter(({ path }) => /^\/(ops\/)?v1\//.test(path))) {
    const status = await send(exampleRequest(operation, { nobody: "1" }));
    if (status !== 400) taken.push(`${operation.method} ${operation.path} ${status}`);
  }
  expect(taken).toEqual([]);
});

it("malformed escapes in addresses are refused on every route of /v1 and /ops/v1", async () => {
  const { operations } = createRequests(await readDocument());
  const taken: string[] = [];
  const escapes = ["%", "%zz", "%ff", "%E3%81", "%ED%A0%80", "%00"];
  const ours = operations.filter(({ path }) => /^\/(ops\/)?v1\//.test(path));
  for (const [i, operation] of ours.entries()) {
    const example = exampleRequest(operation);
    for (const escape of inject("long") ? escapes : [escapes[i % escapes.length]]) {
      const paths = [`${example.path}&x=${escape}`, `${example.path}&${escape}=x`];
      if (operation.path.includes("{")) {
        paths.push(operation.path.replaceAll(/\{\w+\}/g, `x${escape}`));
      }
      for (const path of paths) {
        const status = await send({ ...example, path });
        if (status !== 400) taken.push(`${example.method} ${path} ${status}`);
      }
    }
  }
  expect(taken).toEqual([]);
});

itLong("headers that nobody would expect fail nowhere", async () => {
  const { operations } = createRequests(await readDocument());
  const odd: [name: string, value: string][] = [
    ["Accept", "text/html;q=0, */*;q=0"],
    ["Accept-Encoding", "br;q=zero, , gzip;q=1.5, \u00FF"],
    ["Accept-Language", "en;q=x, *;q=9, \u00FF"],
    ["Accept-Language", ",".repeat(5000)],
    ["Content-Type", "application/json; charset=utf-16"],
    ["Cookie", "a=%; alerts=%ff; lang=\u00FF; ;;==="],
    ["If-Modified-Since", "yesterday"],
    ["If-None-Match", "W/".repeat(3000)],
    ["Last-Event-ID", "9".repeat(40)],
    ["Origin", "ht!tp://["],
    ["Range", "bytes=9-1"],
    ["X-Forwarded-For", "999.1.1.1, , \u00FF"],
    ["X-Request-Id", "\u00FF\u00FE"],
  ];
  for (const operation of operations) {
    const example = exampleRequest(operation);
    for (const [name, value] of odd) {
      await send({ ...example, headers: { ...example.headers, [name]: value } });
    }
  }
  expect(takeFaults()).toEqual([]);
});

it("control: an answer that is not as described is seen on the wire, and named", async () => {
  const suggest = async () => ({ items: [{ kind: "words" } as never], degraded: false });
  const wrong = await createTestApi(test.db, { suggest }).listen();
  await fetch(`${wrong.url}/v1/suggest?q=a`);
  await wrong.close();
  expect(takeFaults()).toEqual([expect.stringContaining("GET /v1/suggest answered 200: /items/0")]);
});

it(`${batches * atOnce} generated requests, valid and not, are answered as described (seed ${seed})`, async () => {
  const { requests } = createRequests(await readDocument());
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(requests(opsToken), { minLength: atOnce, maxLength: atOnce }),
      async (batch) => {
        for (const status of await Promise.all(batch.map(send))) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
        expect(takeFaults()).toEqual([]);
      },
    ),
    { seed, numRuns: batches, endOnFailure: true },
  );
  // Both kinds are among them in numbers.
  const all = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  expect(all).toBe(batches * atOnce);
  expect(statuses.get(200) ?? 0).toBeGreaterThan(all / 8);
  expect(statuses.get(400) ?? 0).toBeGreaterThan(all / 8);
});
