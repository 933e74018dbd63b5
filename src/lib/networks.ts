import ipaddr from "ipaddr.js";

/** An IPv4-mapped address as its IPv4 address; null for all that is no plain address. */
export function toAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const isPlain = text.includes(":")
    ? ipaddr.IPv6.isValid(text) && !text.includes("%")
    : ipaddr.IPv4.isValidFourPartDecimal(text);
  return isPlain ? ipaddr.process(text) : null;
}

/** An IP address, or a network in CIDR notation; null for anything else. */
export function toNetwork(text: string) {
  const [start = "", bits, ...rest] = text.split("/");
  const address = toAddress(start);
  if (address === null || rest.length > 0) return null;
  const most = address.kind() === "ipv4" ? 32 : 128;
  if (bits === undefined) return { address, bits: most };
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? { address, bits: Number(bits) } : null;
}

/** Returns whether an address is in one of these networks, all of which `toNetwork` can read. */
export function createNetworks(texts: readonly string[]): (text: string) => boolean {
  const networks = texts.map(toNetwork).filter((network) => network !== null);
  return (text) => {
    const own = toAddress(text);
    return networks.some(
      ({ address, bits }) => address.kind() === own?.kind() && own.match(address, bits),
    );
  };
}
