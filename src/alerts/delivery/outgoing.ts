import { IncomingMessage, request as requestHttp, type RequestOptions } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { Resolver } from "node:dns/promises";
import type { Clock } from "../../lib/clock.ts";
import { errorCode } from "../../lib/error-code.ts";
import type { Reach } from "./addresses.ts";

/** What came of a request. `error` is for the endpoint's owner and names no address. */
export type Sent =
  | { status: number; retryAfter: string | undefined; excerpt: string }
  | { status: null; error: string };

export interface OutgoingRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Never throws for what the receiver does; an abort of the signal counts as no answer. */
export type SendOutgoing = (request: OutgoingRequest, signal: AbortSignal) => Promise<Sent>;

export interface OutgoingDeps {
  reach: Reach;
  resolve: ResolveName;
  clock: Clock;
  /** The trusted certificates, in PEM; by default those of Node. */
  ca?: string;
}

/** From the look-up of the name until the end of the answer. */
export const timeoutMs = 15_000;
/** More of an answer is not read. */
const mostAnswerBytes = 4096;
const mostUrlChars = 2000;

/**
 * Sends a POST to an address that strangers chose. The name is looked up once, every address behind it
 * must be allowed, and the connection goes to these addresses, so a name that changes in between gains
 * nothing. Redirects are not followed, and nothing is sent without TLS but to networks that operators
 * have named.
 */
export function createOutgoing({ reach, resolve, clock, ca }: OutgoingDeps): SendOutgoing {
  async function send(
    { url: text, headers, body }: OutgoingRequest,
    signal: AbortSignal,
  ): Promise<Sent | IncomingMessage> {
    const fault = urlFault(text, reach);
    if (fault !== null) return failed(`the URL ${fault}`);
    const url = new URL(text);
    const name = hostOf(url);
    const addresses = isIP(name) === 0 ? await addressesOf(name, resolve, signal) : [name];
    if (addresses.length === 0) return failed("the host name has no address");
    if (!addresses.every(reach.allows)) return failed("the host name leads to a private address");
    if (url.protocol === "http:" && !addresses.every(reach.allowsPrivate)) {
      return failed("the URL must begin with https://");
    }
    return exchange(url, body, {
      method: "POST",
      agent: false,
      signal,
      headers: { ...headers, "content-length": Buffer.byteLength(body), connection: "close" },
      lookup: pinnedTo(addresses),
      // An address has no server name; its certificate must be for the address itself.
      ...(isIP(name) === 0 ? { servername: name } : {}),
      ...(ca === undefined ? {} : { ca }),
    });
  }

  return async (request, signal) => {
    const over = new AbortController();
    const stopped = AbortSignal.any([signal, over.signal]);
    const ended = clock.sleep(timeoutMs, stopped).then(() => {
      over.abort(null);
      return failed(signal.aborted ? "interrupted" : `no answer within ${timeoutMs / 1000} s`);
    });
    try {
      const first = await Promise.race([send(request, stopped), ended]);
      return first instanceof IncomingMessage ? await readAnswer(first) : first;
    } catch (error) {
      return stopped.aborted ? await ended : failed(toReason(error));
    } finally {
      over.abort(null);
    }
  };
}

/**
 * Why a URL cannot be an endpoint, as far as it tells that itself; null: it can. Whether its name leads
 * to public addresses is seen at each request.
 */
export function urlFault(text: string, reach: Reach): string | null {
  if (text.length > mostUrlChars) return `may have at most ${mostUrlChars} characters`;
  if (!URL.canParse(text)) return "must be a URL such as https://example.com/hooks";
  const url = new URL(text);
  const mayBeHttp = url.protocol === "http:" && reach.hasPrivate;
  if (url.protocol !== "https:" && !mayBeHttp) return "must begin with https://";
  if (url.username !== "" || url.password !== "") return "must not have a user name or password";
  if (url.hash !== "") return "must not have a fragment (#…)";
  const host = hostOf(url);
  const address = isLocalName(host) ? loopback : host;
  if (isIP(address) === 0) return null;
  if (!reach.allows(address)) return "must lead to a public address";
  const isClear = url.protocol === "http:" && !reach.allowsPrivate(address);
  return isClear ? "must begin with https://" : null;
}

const loopback = "127.0.0.1";
/** By RFC 6761 this name never leaves the host, so no name server is asked. */
const isLocalName = (name: string) => /(^|\.)localhost\.?$/i.test(name);

async function addressesOf(
  name: string,
  resolve: ResolveName,
  signal: AbortSignal,
): Promise<string[]> {
  return isLocalName(name) ? [loopback] : resolve(name, signal);
}

/** Gives the checked addresses to the socket, which connects to the first that answers. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, options, callback) => {
    if (options.all) callback(null, found);
    else callback(null, found[0]?.address ?? "", found[0]?.family ?? 0);
  };
}

function exchange(url: URL, body: string, options: RequestOptions): Promise<IncomingMessage> {
  const open = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = open(url, options, resolve);
    sent.on("error", reject);
    // Such as an answer that wants another protocol.
    sent.on("close", () => reject(new Error("closed without an answer")));
    sent.end(body);
  });
}

/** Status and the beginning of the body. What comes after it, or never comes, changes nothing. */
async function readAnswer(answer: IncomingMessage): Promise<Sent> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= mostAnswerBytes) break;
    }
  } catch {
    // The status has come, and it is what counts.
  } finally {
    answer.destroy();
  }
  const excerpt = Buffer.concat(chunks).subarray(0, mostAnswerBytes).toString("utf8");
  return { status: answer.statusCode ?? 0, retryAfter: answer.headers["retry-after"], excerpt };
}

/** Without the brackets of IPv6 and without the dot of a full name. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

function failed(error: string): Sent {
  return { status: null, error };
}

const reasons: Record<string, string> = {
  ENOTFOUND: "the host name is not known",
  ENODATA: "the host name has no address",
  ESERVFAIL: "the name server of the host name fails",
  EREFUSED: "the name server of the host name refuses",
  ETIMEOUT: "the name server of the host name does not answer",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was cut",
  EPIPE: "the connection was cut",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ETIMEDOUT: "the connection took too long",
  CERT_HAS_EXPIRED: "its certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is not trusted",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is not trusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate is not trusted",
};

/** The messages of Node name addresses, so only their codes are used. */
function toReason(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const code = errorCode(first) ?? "";
  if (reasons[code] !== undefined) return reasons[code];
  return /^[A-Z_]{1,60}$/.test(code) ? `the request failed: ${code}` : "the connection was cut";
}

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
