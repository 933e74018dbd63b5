#!/usr/bin/env node
import { runCli } from "./cli/cli.ts";
import { ConfigError } from "./config.ts";
import { systemClock } from "./lib/clock.ts";
import { addEnvFile } from "./lib/environment.ts";
import { toErrorMessage, toLoggedError } from "./lib/logged-error.ts";
import { UsageError } from "./lib/arguments.ts";

const exitCodes = { failed: 1, usage: 2 };

/** npm forwards a Ctrl-C that the terminal has already sent to us, so two signals within this time count as one. */
const oneKeyPressMs = 1000;

const stopping = new AbortController();
let askedAtMs = Infinity;
// A terminal that is closed sends SIGHUP.
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(name, () => {
    const nowMs = systemClock.monotonicMs();
    // A second signal ends the process at once.
    if (nowMs - askedAtMs > oneKeyPressMs) process.exit(exitCodes.failed);
    askedAtMs = Math.min(askedAtMs, nowMs);
    stopping.abort();
  });
}

/** Prints an unhandled error and ends the process with a failure. */
function die(error: unknown): never {
  const { stack, message } = toLoggedError(error);
  process.stderr.write(`kurabe: unexpected failure\n${stack || message}\n`);
  process.exit(exitCodes.failed);
}
process.on("uncaughtException", die);
process.on("unhandledRejection", die);
let isOutputLost = false;
for (const output of [process.stdout, process.stderr])
  output.on("error", (error: NodeJS.ErrnoException) => {
    // Its reader has closed it (`kurabe plan | head -1`), or the terminal is gone.
    if (error.code === "EPIPE" || error.code === "EIO") return;
    if (!isOutputLost) process.stderr.write(`kurabe: output is lost: ${error.message}\n`);
    isOutputLost = true;
  });

try {
  addEnvFile(process.env, ".env");
  const code = await runCli(process.argv.slice(2), {
    env: process.env,
    signal: stopping.signal,
    stdout: process.stdout,
    stderr: process.stderr,
  });
  process.exitCode = isOutputLost ? exitCodes.failed : code;
} catch (error) {
  const expected = error instanceof ConfigError || error instanceof UsageError;
  if (!expected && process.env.LOG_LEVEL === "debug") die(error);
  // Our own messages may have several lines; a failed query's message would contain its parameters.
  const isQuery = error instanceof Error && "query" in error;
  const message = error instanceof Error && !isQuery ? error.message : toErrorMessage(error);
  const isStopped =
    stopping.signal.aborted && error instanceof Error && error.name === "AbortError";
  process.stderr.write(`kurabe: ${isStopped ? "stopped before it was done" : message}\n`);
  process.exitCode = expected ? exitCodes.usage : exitCodes.failed;
}
// Connections that a silent server does not close would keep the process.
setTimeout(() => process.exit(), 3000).unref();
