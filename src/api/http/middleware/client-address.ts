import { isIP, isIPv6 } from "node:net";
import { toNetworks } from "../../../lib/networks.ts";
import type { ClientAddress } from "../deps.ts";

/** More hops than any real chain of proxies, because the caller can write any header. */
const MAX_HOPS = 20;

/**
 * Returns the address of the connection. If that is a trusted proxy, returns the right-most address of
 * X-Forwarded-For that is no trusted proxy: the caller may have written anything left of it.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const proxies = toNetworks(trustedProxies);
  return (c) => {
    const peer = c.env?.incoming?.socket.remoteAddress;
    if (peer === undefined) return "none";
    const address = plainAddress(peer);
    if (!proxies.has(address)) return toClient(address);
    const hops = (c.req.header("X-Forwarded-For") ?? "").split(",").slice(-MAX_HOPS).toReversed();
    for (const hop of hops) {
      const named = plainAddress(hop.trim());
      if (isIP(named) === 0) break;
      if (!proxies.has(named)) return toClient(named);
    }
    return toClient(address);
  };
}

/** Dual-stack sockets report IPv4 in its IPv6 form, which is the same address. */
function plainAddress(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

/** One IPv6 customer has a whole /64 of addresses, so a /64 is one client. */
function toClient(address: string): string {
  if (!isIPv6(address)) return address;
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, "")}]`);
  const [head = "", tail] = hostname.slice(1, -1).split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  return `${[...left, ...zeros, ...right].slice(0, 4).join(":")}::/64`;
}
