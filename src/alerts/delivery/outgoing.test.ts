import { expect, it } from "vitest";
import { createReach } from "./addresses.ts";
import { urlFault } from "./outgoing.ts";

const publicOnly = createReach([]);
const withLoopback = createReach(["127.0.0.0/8"]);

it("accepts https URLs of names and of public addresses", () => {
  for (const url of ["https://a.example/x?y=1", "https://a.example:8443", "https://1.1.1.1/"]) {
    expect([url, urlFault(url, publicOnly)]).toEqual([url, null]);
  }
});

it("refuses other schemes, credentials, fragments and addresses that are not public", () => {
  expect(urlFault("x", publicOnly)).toMatch("must be a URL");
  expect(urlFault("http://a.example/", publicOnly)).toBe("must begin with https://");
  expect(urlFault("ftp://a.example/", withLoopback)).toBe("must begin with https://");
  expect(urlFault("https://me@a.example/", publicOnly)).toMatch("user name");
  expect(urlFault("https://:x@a.example/", publicOnly)).toMatch("password");
  expect(urlFault("https://a.example/#x", publicOnly)).toMatch("fragment");
  expect(urlFault(`https://a.example/${"x".repeat(2000)}`, publicOnly)).toMatch("2000");
  const hosts = ["127.0.0.1", "0x7f.1", "2130706433", "[::1]", "[::ffff:a00:1]", "169.254.169.254"];
  for (const host of [...hosts, "localhost", "a.LOCALHOST.", "0"]) {
    expect([host, urlFault(`https://${host}/`, publicOnly)]).toEqual([
      host,
      "must lead to a public address",
    ]);
  }
});

it("accepts http where operators have named networks, and never to public addresses", () => {
  expect(urlFault("http://127.0.0.1:3000/", withLoopback)).toBeNull();
  expect(urlFault("http://localhost:3000/", withLoopback)).toBeNull();
  expect(urlFault("http://hooks.internal/", withLoopback)).toBeNull();
  expect(urlFault("http://1.1.1.1/", withLoopback)).toBe("must begin with https://");
  expect(urlFault("http://10.0.0.1/", withLoopback)).toBe("must lead to a public address");
});
