import type { CommandContext } from "./context.ts";
import { systemClock } from "../lib/clock.ts";
import { showProgress } from "./progress.ts";
import { startService, type Roles, type Service } from "../service/service.ts";

export const runAll = (context: CommandContext) => run(context, { api: true, worker: true });
export const runApi = (context: CommandContext) => run(context, { api: true, worker: false });
export const runWorkerOnly = (context: CommandContext) =>
  run(context, { api: false, worker: true });

/** Starts, prints the addresses, and runs until a signal or a failure that waiting cannot repair. */
async function run(context: CommandContext, roles: Roles): Promise<number> {
  const { config, logger, signal } = context;
  let service: Service;
  try {
    service = await startService(config, roles, { clock: systemClock, logger, signal });
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
    logger.info("stopped before the start had finished");
    return 0;
  }
  try {
    announce(context, service);
    const told = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    const isTerminal = context.stderr.isTTY ?? false;
    if (roles.worker && isTerminal) void showProgress(service, context.stderr, signal);
    await Promise.race(roles.worker ? [told, service.running] : [told]);
    logger.info("stopping");
  } finally {
    await service.stop();
  }
  logger.info("stopped");
  return 0;
}

function announce({ stdout, config, logger }: CommandContext, service: Service): void {
  const { url, upstream, opsTokenPath } = service;
  if (config.log.format === "json") {
    logger.info(
      { url, upstream: upstream?.url, sandbox: upstream?.isSandbox, opsTokenPath },
      "kurabe is running",
    );
    return;
  }
  const lines = [
    url && `  pages       ${url}/`,
    url && `  console     ${url}/ops`,
    url && `  ops token   ${opsTokenPath ?? "as set in OPS_TOKEN"}`,
    url && `  API         ${url}/docs`,
    url && `  search      ${url}/v1/products?q=財布`,
    url && `  status      ${url}/v1/status`,
    upstream &&
      `  upstream    ${upstream.url}${upstream.isSandbox ? "  (the built-in sandbox: no STOREFRONT_BASE_URL is set)" : ""}`,
    `  database    ${config.databaseUrl ? "as set in DATABASE_URL" : `embedded, under ${config.dataDir}`}`,
    `  search eng. ${config.meiliHosts.length > 1 ? `${config.meiliHosts.length} hosts, as set in MEILI_HOST` : config.meiliHost !== null ? "as set in MEILI_HOST" : `embedded, under ${config.dataDir}`}`,
  ].filter((line) => line);
  stdout.write(`\nKurabe is running. Ctrl-C stops it.\n\n${lines.join("\n")}\n\n`);
}
