import { createTransport } from "nodemailer";
import type { Composed } from "./compose.ts";

export interface Smtp {
  /** smtp: or smtps:, with name and password if the server wants them. */
  url: string;
  /** An address, or a name with an address in `<>`. */
  from: string;
}

/** What came of an attempt. The reason has nothing of what the server wrote, which may name the address. */
export type MailOutcome =
  | { kind: "sent" }
  /** The address does not exist. */
  | { kind: "refused"; reason: string }
  /** Another attempt may succeed. server: no mail gets through at present. */
  | { kind: "failed"; of: "mail" | "server"; reason: string }
  /** All of the mail was sent, and no answer came: the server may have taken it. */
  | { kind: "unknown"; reason: string };

export interface AddressedMail extends Composed {
  to: string;
  /** The same at each attempt, so that mail programs can show two copies as one. */
  messageId: string;
}

export type SendMail = (mail: AddressedMail, signal: AbortSignal) => Promise<MailOutcome>;

const connectTimeoutMs = 10_000;
const idleTimeoutMs = 20_000;
const nothing = () => {};
const silent = {
  level: nothing,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
};
const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** How the server of `SMTP_URL` is reached. A password goes out of this machine only under TLS. */
function toOptions(url: string) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isTls = protocol === "smtps:";
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (isTls ? 465 : 587) : Number(port),
    secure: isTls,
    requireTLS: !isTls && username !== "" && !loopback.has(hostname),
    ...(username === ""
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    dnsTimeout: connectTimeoutMs,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: idleTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Sends through the server. */
export function createSmtp({ url, from }: Smtp): SendMail {
  const options = toOptions(url);
  return async ({ to, messageId, subject, text, html, unsubscribeUrl }, signal) => {
    let isWhole = false;
    const note = ({ tnx }: { tnx?: string }) => {
      isWhole ||= tnx === "message";
    };
    // Of a log, because errors do not tell whether the end of the mail was sent. One for each mail.
    const transport = createTransport({ ...options, logger: { ...silent, info: note } });
    try {
      await transport.sendMail({
        signal,
        from,
        // As an object, because a text could be read as several addresses.
        to: { name: "", address: to },
        messageId,
        subject,
        text,
        html,
        textEncoding: "base64",
        headers: {
          "Auto-Submitted": "auto-generated",
          ...(unsubscribeUrl === null
            ? {}
            : {
                "List-Unsubscribe": { prepared: true, value: `<${unsubscribeUrl}>` },
                "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
              }),
        },
      });
      return { kind: "sent" };
    } catch (error) {
      return toOutcome(error, isWhole);
    }
  };
}

/**
 * Connects and signs in, and sends nothing. Returns null, or the reason, which has nothing of what the
 * server wrote.
 */
export async function checkSmtp(
  { url }: Pick<Smtp, "url">,
  timeoutMs: number,
): Promise<string | null> {
  const transport = createTransport({
    ...toOptions(url),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return toReason(error);
  } finally {
    transport.close();
  }
}

/** Failures of nodemailer: where it failed (`command`), and what the server answered. */
function toOutcome(error: unknown, isWhole: boolean): MailOutcome {
  const of = (name: string) => textOf(error, name);
  const codes = codesOf(error);
  const reason = toReason(error);
  if (isWhole && codes === undefined) return { kind: "unknown", reason };
  if (of("code") === "EENVELOPE" && of("command") === "RCPT TO") {
    return isUnknownAddress(codes, of("response"))
      ? { kind: "refused", reason }
      : { kind: "failed", of: "mail", reason };
  }
  const isOfMail = of("code") === "EMESSAGE" || of("command") === "DATA";
  return { kind: "failed", of: isOfMail ? "mail" : "server", reason };
}

function toReason(error: unknown): string {
  const codes = codesOf(error);
  return codes === undefined ? `failed: ${textOf(error, "code")}` : `answered ${codes}`;
}

/** The code and the enhanced code (RFC 3463) alone. */
function codesOf(error: unknown): string | undefined {
  return /^\d{3}(?:[ -][245]\.\d{1,3}\.\d{1,3})?/.exec(textOf(error, "response"))?.[0];
}

function textOf(error: unknown, name: string): string {
  const value: unknown =
    error instanceof Error && name in error ? Reflect.get(error, name) : undefined;
  return typeof value === "string" ? value : "";
}

/** Words, also without codes, by which a server refuses the sender or us, which would be so for every address. */
const ofSender = /\b5\.(?:7\.\d|1\.[78])|relay|sender|authenti|prohibit|polic|spam|block|listed/i;

function isUnknownAddress(codes: string | undefined, response: string): boolean {
  if (codes === undefined || ofSender.test(response)) return false;
  return /^55[013]$/.test(codes) || /^55\d[ -]5\.[12]\./.test(codes);
}
