import fc from "fast-check";
import { expect, it } from "vitest";
import { createReach, isAllowableNetwork, isPublic } from "./addresses.ts";

it("knows the addresses of the internet", () => {
  for (const address of ["1.1.1.1", "93.184.215.14", "2606:4700::1111", "::ffff:1.1.1.1"]) {
    expect([address, isPublic(address)]).toEqual([address, true]);
  }
});

it("takes nothing else for one", () => {
  const others = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.1",
    "0x7f.0.0.1",
    "2130706433",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:0:10.0.0.1",
    "64:ff9b::a00:1",
    "64:ff9b:1::1",
    "100::1",
    "2001:0:1::1",
    "2001:db8::1",
    "2002:a00:1::1",
    "4000::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "",
    "localhost",
  ];
  for (const address of others) expect([address, isPublic(address)]).toEqual([address, false]);
});

it("never takes a text for a public address that is none", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(isPublic(text)).toBe(false);
    }),
  );
});

it("allows named networks, in each way that their addresses are written, and no more", () => {
  const reach = createReach(["10.1.0.0/16", "127.0.0.1", "fd00:1::/32"]);
  for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "127.0.0.1", "fd00:1::7"]) {
    expect([address, reach.allows(address), reach.allowsPrivate(address)]).toEqual([
      address,
      true,
      true,
    ]);
  }
  for (const address of ["10.2.0.1", "127.0.0.2", "fd00:2::1", "169.254.169.254"]) {
    expect([address, reach.allows(address)]).toEqual([address, false]);
  }
  expect(reach.allows("1.1.1.1")).toBe(true);
  expect(reach.allowsPrivate("1.1.1.1")).toBe(false);
});

it("knows networks that can be allowed", () => {
  for (const network of ["10.0.0.0/8", "127.0.0.1", "::1", "fc00::/7", "192.168.1.0/24"]) {
    expect([network, isAllowableNetwork(network)]).toEqual([network, true]);
  }
  for (const network of ["0.0.0.0/0", "::/0", "10.0.0.0/7", "10.0.0.0/33", "10/8", "x", "::1/"]) {
    expect([network, isAllowableNetwork(network)]).toEqual([network, false]);
  }
});
