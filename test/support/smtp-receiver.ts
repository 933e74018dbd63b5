import { createServer } from "node:net";
import { onTestFinished } from "vitest";
import { listenOnLoopback } from "./loopback.ts";

export interface ReceivedMail {
  to: string;
  /** As it came, headers and all. */
  raw: string;
  /** Unfolded; names in lower case. */
  headers: Record<string, string>;
  text: string;
  html: string;
}

export interface SmtpReceiver {
  url: string;
  received: ReceivedMail[];
  close(): Promise<void>;
}

export interface SmtpAnswers {
  /** To `RCPT TO`; by default 250. */
  rcpt?(to: string): string;
  /** To a sign-in, which the server then offers. */
  auth?: string;
  /** To the end of a mail; null: the connection is closed without an answer. */
  end?(to: string): string | null;
}

/** A small SMTP server on loopback. */
export async function startSmtpReceiver(
  answers: SmtpAnswers = {},
  port = 0,
): Promise<SmtpReceiver> {
  const received: ReceivedMail[] = [];
  const server = createServer((socket) => {
    let buffer = "";
    let to = "";
    let isData = false;
    const say = (line: string) => socket.write(`${line}\r\n`);
    const take = (line: string) => {
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === "EHLO" || verb === "HELO") {
        return say(answers.auth ? "250-receiver\r\n250 AUTH PLAIN" : "250 receiver");
      }
      if (verb === "AUTH") return say(answers.auth ?? "503 not offered");
      if (verb === "RCPT") {
        to = /<(.*)>/.exec(line)?.[1] ?? "";
        return say(answers.rcpt?.(to) ?? "250 ok");
      }
      if (verb === "DATA") {
        isData = true;
        return say("354 go on");
      }
      if (verb === "QUIT") return socket.end("221 bye\r\n");
      return say("250 ok");
    };
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      buffer += chunk.toString("latin1");
      for (;;) {
        const end = isData ? "\r\n.\r\n" : "\r\n";
        const at = buffer.indexOf(end);
        if (at < 0) return;
        const piece = buffer.slice(0, at);
        buffer = buffer.slice(at + end.length);
        if (!isData) {
          take(piece);
          continue;
        }
        isData = false;
        received.push(toMail(to, piece));
        const answer = answers.end === undefined ? "250 taken" : answers.end(to);
        if (answer === null) socket.destroy();
        else say(answer);
      }
    });
    say("220 receiver");
  });
  const listening = await listenOnLoopback(server, port);
  onTestFinished(() => void listening.close());
  return { url: `smtp://127.0.0.1:${listening.port}`, received, close: listening.close };
}

function toMail(to: string, raw: string): ReceivedMail {
  const headers: Record<string, string> = {};
  const head = raw.split("\r\n\r\n", 1)[0] ?? "";
  for (const line of head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n")) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const part = (type: string) => {
    const encoded = new RegExp(`Content-Type: ${type};[^]*?\r\n\r\n([A-Za-z0-9+/=\r\n]*)`).exec(
      raw,
    )?.[1];
    return Buffer.from(encoded ?? "", "base64").toString();
  };
  return { to, raw, headers, text: part("text/plain"), html: part("text/html") };
}
