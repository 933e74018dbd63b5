import { describe, expect, it } from "vitest";
import { createReach } from "../../src/alerts/delivery/addresses.ts";
import { createOutgoing, type Sent, type ResolveName } from "../../src/alerts/delivery/outgoing.ts";
import { systemClock, type Clock } from "../../src/lib/clock.ts";
import { createCertificate } from "../support/certificate.ts";
import { createTestClock } from "../support/clock.ts";
import { answers, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

const never = new AbortController().signal;
const message = { headers: { "webhook-id": "msg_1" }, body: '{"type":"test"}' };
const loopback = ["127.0.0.0/8"];

function outgoing(networks: string[], resolve: ResolveName = async () => ["127.0.0.1"]) {
  const send = createOutgoing({ reach: createReach(networks), resolve, clock: systemClock });
  return (url: string): Promise<Sent> => send({ url, ...message }, never);
}

describe("what a receiver may do", () => {
  it("takes its status for the outcome, and sends body and headers once", async () => {
    const receiver = await startReceiver();
    expect(await outgoing(loopback)(receiver.url)).toMatchObject({ status: 204 });
    expect(receiver.received).toMatchObject([
      {
        body: message.body,
        headers: { "webhook-id": "msg_1", host: `127.0.0.1:${receiver.port}` },
      },
    ]);
  });

  it("does not follow redirects", async () => {
    const elsewhere = await startReceiver();
    for (const status of [301, 302, 303, 307, 308]) {
      const receiver = await startReceiver(answers.status(status, { location: elsewhere.url }));
      expect(await outgoing(loopback)(receiver.url)).toMatchObject({ status });
    }
    expect(elsewhere.received).toEqual([]);
  });

  it("keeps the beginning of an answer of 10 MB and hangs up", async () => {
    let written = 0;
    const receiver = await startReceiver((response) => {
      response.writeHead(200);
      const more = () => {
        while (written < 10_000_000 && !response.destroyed) {
          written += 10_000;
          if (!response.write("x".repeat(10_000))) return void response.once("drain", more);
        }
        response.end();
      };
      more();
    });
    const sent = await outgoing(loopback)(receiver.url);
    expect(sent).toEqual({ status: 200, retryAfter: undefined, excerpt: "x".repeat(4096) });
    await until(() => receiver.open() === 0, { what: "the connection to be closed" });
    expect(written).toBeLessThan(10_000_000);
  });

  it("waits 15 s for an answer, and no longer", async () => {
    const clock = createTestClock();
    const send = createOutgoing({
      reach: createReach(loopback),
      resolve: async () => [],
      clock,
    });
    const receiver = await startReceiver(answers.nothing);
    const sending = send({ url: receiver.url, ...message }, never);
    await until(() => receiver.received.length, { what: "the request" });
    await clock.advance(15_000);
    expect(await sending).toEqual({ status: null, error: "no answer within 15 s" });
    await until(() => receiver.open() === 0, { what: "the connection to be closed" });
    expect(clock.sleepers()).toBe(0);
  });

  it("takes the status for the outcome if the body never ends", async () => {
    const clock: Clock = {
      ...systemClock,
      sleep: (ms, signal) => systemClock.sleep(ms / 15, signal),
    };
    const send = createOutgoing({ reach: createReach(loopback), resolve: async () => [], clock });
    const receiver = await startReceiver((response) => {
      response.writeHead(200).write("begun");
    });
    const sent = await send({ url: receiver.url, ...message }, never);
    expect(sent).toEqual({ status: 200, retryAfter: undefined, excerpt: "begun" });
  });

  it("waits 15 s for name servers too", async () => {
    const clock = createTestClock();
    const resolve: ResolveName = async () => new Promise(() => {});
    const send = createOutgoing({ reach: createReach(loopback), resolve, clock });
    const sending = send({ url: "https://slow.example/", ...message }, never);
    await clock.advance(15_000);
    expect(await sending).toEqual({ status: null, error: "no answer within 15 s" });
  });

  it("says what failed without naming an address", async () => {
    const receiver = await startReceiver((response) => response.destroy());
    const { port } = await startReceiver();
    const send = outgoing(loopback);
    expect(await send(receiver.url)).toEqual({ status: null, error: "the connection was cut" });
    const upgrade = await startReceiver((response) => {
      response.writeHead(101, { connection: "upgrade", upgrade: "x" }).end();
    });
    expect(await send(upgrade.url)).toMatchObject({ status: null });
    const clear = await send(`https://127.0.0.1:${port}/`);
    expect(JSON.stringify(clear)).toMatch(/"error":"the request failed: \w+"/);
    expect(JSON.stringify(clear)).not.toContain("127.0.0.1");
  });

  it("ends with the process", async () => {
    const receiver = await startReceiver(answers.nothing);
    const stopping = new AbortController();
    const send = createOutgoing({
      reach: createReach(loopback),
      resolve: async () => [],
      clock: systemClock,
    });
    const sending = send({ url: receiver.url, ...message }, stopping.signal);
    await until(() => receiver.received.length, { what: "the request" });
    stopping.abort();
    expect(await sending).toEqual({ status: null, error: "interrupted" });
  });
});

describe("where a name may lead", () => {
  it.each([
    ["loopback", ["127.0.0.1"]],
    ["loopback of IPv6", ["::1"]],
    ["private", ["10.0.0.7"]],
    ["link-local", ["169.254.1.1"]],
    ["metadata", ["169.254.169.254"]],
    ["metadata of IPv6", ["fd00:ec2::254"]],
    ["metadata of Azure", ["168.63.129.16"]],
    ["shared", ["100.100.100.200"]],
    ["mapped", ["::ffff:10.0.0.7"]],
    ["NAT64", ["64:ff9b::a00:7"]],
    ["unspecified", ["0.0.0.0"]],
    ["mixed", ["93.184.215.14", "127.0.0.1"]],
    ["no address", ["x"]],
  ])("refuses %s addresses without a connection", async (_, addresses) => {
    const sent = await outgoing([], async () => addresses)("https://hooks.example/");
    expect(sent).toEqual({ status: null, error: "the host name leads to a private address" });
  });

  it("refuses a set of which only a part is allowed", async () => {
    const receiver = await startReceiver();
    const mixed = outgoing(loopback, async () => ["127.0.0.1", "10.0.0.7"]);
    expect(await mixed(`http://hooks.example:${receiver.port}/`)).toMatchObject({ status: null });
    expect(receiver.received).toEqual([]);
  });

  it("sends without TLS only into networks that are named", async () => {
    const receiver = await startReceiver();
    const named = outgoing(loopback);
    expect(await named(`http://hooks.example:${receiver.port}/`)).toMatchObject({ status: 204 });
    const other = outgoing(["10.0.0.0/8"], async () => ["93.184.215.14"]);
    expect(await other("http://hooks.example/")).toEqual({
      status: null,
      error: "the URL must begin with https://",
    });
  });

  it("asks for the name once, and connects to what it checked", async () => {
    const receiver = await startReceiver();
    const asked: string[] = [];
    const rebinding = outgoing(loopback, async (name) => {
      asked.push(name);
      return asked.length === 1 ? ["127.0.0.1"] : ["10.0.0.7"];
    });
    expect(await rebinding(`http://hooks.example:${receiver.port}/`)).toMatchObject({
      status: 204,
    });
    expect(asked).toEqual(["hooks.example"]);
    expect(receiver.received[0]?.headers.host).toBe(`hooks.example:${receiver.port}`);
    expect(await rebinding(`http://hooks.example:${receiver.port}/`)).toMatchObject({
      error: "the host name leads to a private address",
    });
  });

  it("tells when the name is unknown", async () => {
    const unknown = outgoing([], async () => {
      throw Object.assign(new Error("queryA ENOTFOUND x"), { code: "ENOTFOUND" });
    });
    expect(await unknown("https://hooks.example/")).toEqual({
      status: null,
      error: "the host name is not known",
    });
    expect(await outgoing([], async () => [])("https://hooks.example/")).toMatchObject({
      error: "the host name has no address",
    });
  });
});

describe("TLS", () => {
  const { key, cert } = createCertificate(["hooks.example"]);
  const send = (url: string) =>
    createOutgoing({
      reach: createReach(loopback),
      resolve: async () => ["127.0.0.1"],
      clock: systemClock,
      ca: cert,
    })({ url, ...message }, never);

  it("keeps the name of the URL for the certificate and the Host header", async () => {
    const receiver = await startReceiver(answers.ok, { key, cert });
    expect(await send(`https://hooks.example:${receiver.port}/x?y=1`)).toMatchObject({
      status: 204,
    });
    expect(receiver.received).toMatchObject([
      { servername: "hooks.example", headers: { host: `hooks.example:${receiver.port}` } },
    ]);
  });

  it("refuses a certificate for another name, and one that nobody trusts", async () => {
    const receiver = await startReceiver(answers.ok, { key, cert });
    const other = await send(`https://other.example:${receiver.port}/`);
    expect(other).toEqual({ status: null, error: "its certificate is for another name" });
    const untrusted = await outgoing(loopback)(`https://hooks.example:${receiver.port}/`);
    expect(untrusted).toEqual({ status: null, error: "its certificate is not trusted" });
    expect(receiver.received).toEqual([]);
  });
});
