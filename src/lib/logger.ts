import pino, { type DestinationStream, type Logger } from "pino";
import { oneLine, toLoggedError } from "./logged-error.ts";

export type { Logger } from "pino";

export interface LogOptions {
  level: string;
  /** `pretty` for a terminal, `json` for log collectors. */
  format: "pretty" | "json";
}

/** Writes to `destination`; by default to standard output (json) or standard error (pretty). */
export function createLogger(options: LogOptions, destination?: DestinationStream): Logger {
  const base = {
    level: options.level,
    redact: { paths: ["authorization", "*.authorization", "headers.cookie"], remove: true },
    serializers: { err: toLoggedError },
    hooks: {
      logMethod(this: Logger, args: Parameters<pino.LogFn>, log: pino.LogFn) {
        // Safe: only texts are replaced, by texts.
        const plain = args.map((arg: unknown) => (typeof arg === "string" ? oneLine(arg) : arg));
        log.apply(this, plain as Parameters<pino.LogFn>);
      },
    },
  };
  if (destination) return pino(base, destination);
  if (options.format === "json") return pino(base);
  return pino({
    ...base,
    transport: {
      target: "pino-pretty",
      options: {
        destination: 2,
        ignore: "pid,hostname",
        translateTime: "SYS:HH:MM:ss",
        sync: true,
      },
    },
  });
}

export const silentLogger: Logger = pino({ level: "silent" });
