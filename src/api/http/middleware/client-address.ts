import { isIP } from "node:net";
import { createNetworks, toAddress } from "../../../lib/networks.ts";
import type { ClientAddress } from "../deps.ts";

/** More hops than any real chain of proxies, because the caller can write any header. */
const maxHops = 20;

/**
 * Returns the address of the connection. If that is a trusted proxy, returns the right-most address of
 * X-Forwarded-For that is no trusted proxy: the caller may have written anything left of it.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isProxy = createNetworks(trustedProxies);
  return (c) => {
    const peer = withoutZone(c.env?.incoming?.socket.remoteAddress ?? "");
    if (peer === "") return "none";
    if (!isProxy(peer)) return toClient(peer);
    const hops = (c.req.header("X-Forwarded-For") ?? "").split(",").slice(-maxHops).toReversed();
    for (const hop of hops) {
      const named = withoutZone(hop.trim());
      if (isIP(named) === 0) break;
      if (!isProxy(named)) return toClient(named);
    }
    return toClient(peer);
  };
}

/** A link-local address names the network card behind `%`. */
const withoutZone = (address: string) => address.replace(/%.*$/, "");

/**
 * One IPv6 customer has a whole /64 of addresses, so a /64 is one client. Dual-stack sockets report IPv4 in
 * its IPv6 form, which is the same address.
 */
function toClient(text: string): string {
  const address = toAddress(text);
  if (address === null || !("parts" in address)) return address?.toString() ?? text;
  const groups = address.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(":")}::/64`;
}
