import type { Page } from "playwright-core";
import { z } from "zod";

const timings = z.object({
  firstByteMs: z.number(),
  largestPaintMs: z.number(),
  layoutShift: z.number(),
});

/** Bytes and requests are those of everything but pictures. What is transferred is compressed, with headers. */
export interface PageMeasure extends z.infer<typeof timings> {
  status: number;
  requests: number;
  transferredBytes: number;
  decodedBytes: number;
}

/** What the browser has recorded since the page was asked for, also before this script ran. */
const readTimings = `(async () => {
  const entries = (type) => new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type, buffered: true });
    setTimeout(() => resolve([]), 300);
  });
  const [paints, shifts] = await Promise.all([entries("largest-contentful-paint"), entries("layout-shift")]);
  return {
    firstByteMs: performance.getEntriesByType("navigation")[0].responseStart,
    largestPaintMs: Math.max(0, ...paints.map((one) => one.startTime)),
    layoutShift: shifts.filter((one) => !one.hadRecentInput).reduce((sum, one) => sum + one.value, 0),
  };
})()`;

/** Opens the address with nothing cached, and measures it once nothing more is loaded. */
export async function measurePage(page: Page, address: string): Promise<PageMeasure> {
  const session = await page.context().newCDPSession(page);
  const loads = new Map<string, { transferred: number; decoded: number }>();
  session.on("Network.requestWillBeSent", ({ requestId, type }) => {
    if (type !== "Image") loads.set(requestId, { transferred: 0, decoded: 0 });
  });
  session.on("Network.dataReceived", ({ requestId, dataLength }) => {
    const load = loads.get(requestId);
    if (load) load.decoded += dataLength;
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const load = loads.get(requestId);
    if (load) load.transferred = encodedDataLength;
  });
  // What the page before still loads is not counted.
  await page.waitForLoadState("networkidle");
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  const answer = await page.goto(address, { waitUntil: "networkidle" });
  const measured = timings.parse(await page.evaluate(readTimings));
  await session.detach();
  const all = [...loads.values()];
  return {
    ...measured,
    status: answer?.status() ?? 0,
    requests: all.length,
    transferredBytes: all.reduce((sum, one) => sum + one.transferred, 0),
    decodedBytes: all.reduce((sum, one) => sum + one.decoded, 0),
  };
}
