import { readCatalogStatus } from "../catalog/status.ts";
import { readBudget } from "../crawl/budget/budget-today.ts";
import { systemClock } from "../lib/clock.ts";
import type { Service } from "../service/service.ts";

const EVERY_MS = 1000;

/** Shows one line on a terminal and rewrites it every second: products, calls of the budget, mirror lag. */
export async function showProgress(
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
      terminal.write(
        `\r\u001B[Kno progress to show: ${error instanceof Error ? error.message : "unknown"}`,
      );
    }
    await systemClock.sleep(EVERY_MS, signal);
  }
  terminal.write("\n");
}
