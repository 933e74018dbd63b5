import ipaddr from "ipaddr.js";
import { createNetworks, toAddress, toNetwork } from "../../lib/networks.ts";

export type Reach = ReturnType<typeof createReach>;

const widestV4 = 8;
const widestV6 = 7;

export const networksRule = `must list IP addresses or networks (CIDR) such as 10.1.0.0/16 or fd00::/8, separated by commas and none wider than /${widestV4} (IPv6: /${widestV6})`;

/** A wider network would be most of the internet, and so a slip. */
export function isAllowableNetwork(text: string): boolean {
  const network = toNetwork(text);
  return (
    network !== null && network.bits >= (network.address.kind() === "ipv4" ? widestV4 : widestV6)
  );
}

/** Which addresses webhooks may reach. `networks` are texts that `isAllowableNetwork` accepts. */
export function createReach(networks: readonly string[]) {
  const allowsPrivate = createNetworks(networks);
  return {
    /** Whether any network is allowed besides the public ones. */
    hasPrivate: networks.length > 0,
    /** In one of the networks that are allowed although they may be private. */
    allowsPrivate,
    /** Public, or in one of the allowed networks. */
    allows: (text: string) => isPublic(text) || allowsPrivate(text),
  };
}

/** Answers metadata and credentials to machines of Azure, although the address is a public one. */
const azureHost = "168.63.129.16";
/** All that is assigned to hosts of the internet; `ipaddr.js` takes what is not assigned yet for public. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether it is an address of the internet: not loopback, private, link-local (also that of metadata
 * services), shared, multicast, reserved, or one that stands for an IPv4 address (NAT64, 6to4, Teredo).
 */
export function isPublic(text: string): boolean {
  const address = toAddress(text);
  if (address === null || address.range() !== "unicast") return false;
  if (address instanceof ipaddr.IPv6) return address.match(globalUnicast);
  return address.toString() !== azureHost;
}
