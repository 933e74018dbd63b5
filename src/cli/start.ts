import type { CommandContext } from "./context.ts";
import { readCatalogStatus } from "../catalog/status/status.ts";
import { readBudget } from "../crawl/budget/budget-today.ts";
import { untilAborted } from "../lib/async.ts";
import { systemClock } from "../lib/clock.ts";
import { toReason } from "../lib/logged-error.ts";
import { startService, type Roles, type Service } from "../service/service.ts";

export const runAll = (context: CommandContext) => run(context, { api: true, worker: true });
export const runApi = (context: CommandContext) => run(context, { api: true, worker: false });
export const runWorkerOnly = (context: CommandContext) =>
  run(context, { api: false, worker: true });

/** Starts, prints the addresses, and runs until a signal or a failure that waiting cannot repair. */
async function run(context: CommandContext, roles: Roles): Promise<number> {
  const { config, logger, signal } = context;
  if (config.unknown.length > 0) logger.warn({ names: config.unknown }, "no such settings");
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
    const told = untilAborted(signal);
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

const progressEveryMs = 1000;

/** Shows one line on a terminal and rewrites it every second: products, calls of the budget, mirror lag. */
async function showProgress(
  service: Service,
  terminal: { write(text: string): unknown },
  signal: AbortSignal,
): Promise<void> {
  const db = service.resources.pool("progress", { maxConnections: 1, statementTimeoutMs: 5000 });
  while (!signal.aborted) {
    try {
      const now = systemClock.now();
      const catalog = await readCatalogStatus(db, now);
      const budget = await readBudget(db, now, service.rules);
      const { serving } = await service.mirrorStatus(db);
      const mirror = serving ? `mirror ${serving.lagSeconds.toFixed(1)} s behind` : "no index yet";
      const products = (catalog.products.live + catalog.products.missing).toLocaleString("en");
      terminal.write(
        `\r\u001B[K${products} products in ${catalog.shops.toLocaleString("en")} shops · ` +
          `${budget.used.toLocaleString("en")} of ${budget.limit.toLocaleString("en")} calls · ${mirror}`,
      );
    } catch (error) {
      if (signal.aborted) break;
      terminal.write(`\r\u001B[Kno progress to show: ${toReason(error)}`);
    }
    await systemClock.sleep(progressEveryMs, signal);
  }
  terminal.write("\n");
}
