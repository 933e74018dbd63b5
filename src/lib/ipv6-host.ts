const ipv6Url = /^\w+:\/\/(?:[^/?]*@)?\[([^\]]+)\](?::(\d+))?(?:[/?]|$)/;

/**
 * Host and port of a database's URL with an IPv6 address, as options of the driver, which takes for the port what
 * follows the first colon of the URL's. Other URLs, also with several hosts, are left to the driver.
 */
export function ipv6Host(url: string): { host?: string; port?: number } {
  const [, host, port = "5432"] = ipv6Url.exec(url) ?? [];
  if (host === undefined) return {};
  const lists: unknown = { host: [host], port: [Number(port)] };
  // Safe: the driver takes lists of both, which its types do not say.
  return lists as { host: string; port: number };
}
