import ipaddr from "ipaddr.js";

export type Reach = ReturnType<typeof createReach>;

const widestV4 = 8;
const widestV6 = 7;

export const networksRule = `must list IP addresses or networks (CIDR) such as 10.1.0.0/16 or fd00::/8, separated by commas and none wider than /${widestV4} (IPv6: /${widestV6})`;

/** A wider network would be most of the internet, and so a slip. */
export function isAllowableNetwork(text: string): boolean {
  const network = toNetwork(text);
  if (network === null) return false;
  const [address, bits] = network;
  return bits >= (address.kind() === "ipv4" ? widestV4 : widestV6);
}

/** Which addresses webhooks may reach. `networks` are texts that `isAllowableNetwork` accepts. */
export function createReach(networks: readonly string[]) {
  const pairs = networks.map(toNetwork).filter((network) => network !== null);
  const isIn = (address: Address) =>
    pairs.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
  const allowsPrivate = (text: string) => {
    const address = toAddress(text);
    return address !== null && isIn(address);
  };
  return {
    /** Whether any network is allowed besides the public ones. */
    hasPrivate: pairs.length > 0,
    /** In one of the networks that are allowed although they may be private. */
    allowsPrivate,
    /** Public, or in one of the allowed networks. */
    allows: (text: string) => isPublic(text) || allowsPrivate(text),
  };
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

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

/** An IPv4-mapped address as its IPv4 address; null for all that is no plain address. */
function toAddress(text: string): Address | null {
  const isPlain = text.includes(":")
    ? ipaddr.IPv6.isValid(text) && !text.includes("%")
    : ipaddr.IPv4.isValidFourPartDecimal(text);
  return isPlain ? ipaddr.process(text) : null;
}

function toNetwork(text: string): [Address, number] | null {
  const [start = "", bits, ...rest] = text.split("/");
  const address = toAddress(start);
  if (address === null || rest.length > 0) return null;
  const most = address.kind() === "ipv4" ? 32 : 128;
  if (bits === undefined) return [address, most];
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? [address, Number(bits)] : null;
}
