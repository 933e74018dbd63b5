/**
 * Host and port of a database's URL with an IPv6 address, as options of the driver, which takes for the port what
 * follows the first colon of the URL's.
 */
export function ipv6Host(url: string): { host?: string; port?: number } {
  const { hostname, port } = new URL(url);
  if (!hostname.startsWith("[")) return {};
  const lists: unknown = { host: [hostname.slice(1, -1)], port: [Number(port || 5432)] };
  // Safe: the driver takes lists of both, which its types do not say.
  return lists as { host: string; port: number };
}
