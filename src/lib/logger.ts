import type { Writable } from "node:stream";
import pino, { type DestinationStream, type Logger } from "pino";
import { prettyFactory } from "pino-pretty";
import { oneLine, toLoggedError } from "./logged-error.ts";

export type { Logger } from "pino";

export interface LogOptions {
  level: string;
  /** `pretty` for a terminal, `json` for log collectors. */
  format: "pretty" | "json";
  /** Where JSON goes: 1, unless told, or 2. */
  fd?: 1 | 2;
}

/** Writes to `destination`; by default to `fd` (json) or standard error (pretty). */
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
  // Not to the file descriptors: what Node's streams cannot write (full disk, closed terminal) is lost; pino's own
  // writer tries it for ever at the end of the process.
  const isPretty = options.format === "pretty";
  const output = isPretty || options.fd === 2 ? process.stderr : process.stdout;
  const format = isPretty
    ? prettyFactory({ ignore: "pid,hostname", translateTime: "SYS:HH:MM:ss" })
    : String;
  const logger: Logger = pino(
    base,
    boundedOutput(output, format, (lost) =>
      logger.warn({ lost }, "lines of the log were left out: nobody read them"),
    ),
  );
  return logger;
}

/** Bytes that wait for whoever reads the log. */
const maxWaiting = 4 * 2 ** 20;

/**
 * Leaves lines out while too much waits to be read, so that a reader who stopped does not fill the memory. `tell`
 * writes how many, once there is room again.
 */
export function boundedOutput(
  output: Writable,
  format: (line: string) => string,
  tell: (lost: number) => void,
): DestinationStream {
  let lost = 0;
  return {
    write(line) {
      if (output.writableLength > maxWaiting) {
        lost += 1;
        return;
      }
      if (lost > 0) {
        const told = lost;
        lost = 0;
        tell(told);
      }
      output.write(format(line));
    },
  };
}

export const silentLogger: Logger = pino({ level: "silent" });
