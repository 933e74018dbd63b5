import { createServer } from "node:net";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { listenOnLoopback } from "../support/loopback.ts";
import { killStarted } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { startWholeKurabe } from "../support/whole-kurabe.ts";

afterEach(killStarted);

/** Counts whoever connects, whatever they speak. */
async function openListener(): Promise<{ port: number; hits(): number }> {
  let hits = 0;
  const server = createServer((socket) => {
    hits += 1;
    socket.destroy();
  });
  const { port, close } = await listenOnLoopback(server);
  onTestFinished(close);
  return { port, hits: () => hits };
}

function imagesIn(html: string): string[] {
  return [...html.matchAll(/<img\b[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => /src="https?:/.test(tag));
}

describe("addresses that shops wrote", () => {
  it("W6: are followed by no server of ours, and by browsers without saying whence", async () => {
    const { port, hits } = await openListener();
    const upstream = await startSandbox({ clock: systemClock, live: false, products: 60 });
    onTestFinished(upstream.close);
    const shopUrl = `http://127.0.0.1:${port}/shop`;
    const picture = `https://127.0.0.1:${port}/picture`;
    for (const item of upstream.control.items()) {
      const pictures = Object.keys(item).filter((key) => key.startsWith("img1_"));
      upstream.control.edit(Number(item["item_id"]), {
        shop_url: shopUrl,
        ...Object.fromEntries(pictures.map((key) => [key, `${picture}-${key}.jpg`])),
      });
    }
    const { url } = await startWholeKurabe(upstream);
    const read = async (path: string, init?: RequestInit) =>
      (await fetch(`${url}${path}`, init)).text();
    const list = await until(
      async () => {
        const html = await read("/?q=");
        return imagesIn(html).length > 10 && html;
      },
      { what: "pictures beside the results" },
    );
    const id = must(/\/products\/(\d+)/.exec(list)?.[1], "a product");
    const page = await read(`/products/${id}`);
    expect(page).toContain(shopUrl);
    for (const path of ["", "/history", "/offers"]) {
      expect(await read(`/v1/products/${id}${path}`)).toContain("{");
    }
    await read(`/v1/products/${id}/refresh?min_age_s=1`, { method: "POST" });
    const toShop = await fetch(`${url}/go/${id}`, { redirect: "manual" });
    expect(toShop.headers.get("Location")).toBe(`${shopUrl}/items/${id}`);
    for (const path of ["/v1/products?facets=shop_id", "/v1/shops", "/v1/suggest?q=革"]) {
      await read(path);
    }
    expect(hits()).toBe(0);

    for (const tag of imagesIn(list)) {
      expect(tag).toContain('referrerpolicy="no-referrer"');
      expect(tag).toContain('loading="lazy"');
    }
    expect(list).toContain(picture);
    expect(page).toContain(picture);
    const [first, ...others] = imagesIn(page);
    // What the page is about may load at once.
    expect(first).toContain('referrerpolicy="no-referrer"');
    for (const tag of others) {
      expect(tag).toContain('referrerpolicy="no-referrer"');
      expect(tag).toContain('loading="lazy"');
    }
    // The control: the listener counts whoever does follow one.
    await expect(fetch(shopUrl)).rejects.toThrow("fetch failed");
    expect(hits()).toBe(1);
  });
});
