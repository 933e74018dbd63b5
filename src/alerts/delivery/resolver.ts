import { Resolver } from "node:dns/promises";

/** All addresses of a host name; throws if there are none. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<string[]>;

/**
 * Asks the name servers without the system's threads: four names whose servers never answer would else
 * hold up every file access of the process. So /etc/hosts and search domains are not used.
 */
export const resolveName: ResolveName = async (name, signal) => {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    const failed = found.find((one) => one.status === "rejected");
    if (addresses.length === 0 && failed) throw failed.reason;
    return addresses;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
};
