import { afterEach, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { findDifferences } from "../support/busy-catalogue.ts";
import { emptyCopy, followOnce, loadSnapshot } from "../support/follower.ts";
import { killStarted } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { startWholeKurabe } from "../support/whole-kurabe.ts";

afterEach(killStarted);

const token = "a-token-of-this-test-with-more-than-32-characters";
const PRODUCTS = 120;

it("a copy follows a running Kurabe, from its published snapshot to a deletion", async () => {
  const upstream = await startSandbox({ clock: systemClock, live: false, products: PRODUCTS });
  onTestFinished(upstream.close);
  const env = { PUBLIC_EXPORTS: "on", OPS_TOKEN: token };
  const { test, url } = await startWholeKurabe(upstream, env);
  const get = (path: string) => fetch(`${url}${path}`);
  const run = async (job: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/ops/v1/jobs/${job}/run`, { method: "POST", headers });
    return response.ok;
  };
  const follower = { copy: emptyCopy(), get, step() {}, limit: 50 };
  const { copy } = follower;
  const follow = async () => {
    while ((await followOnce(follower)) === 0);
    return copy.products.size;
  };

  await until(() => run("public-exports"), { what: "the job to start" });
  const listed = async () =>
    ((await (await get("/exports/manifest.json")).json()) as { snapshots: unknown[] }).snapshots;
  await until(async () => (await listed()).length > 0, { what: "a snapshot" });
  await loadSnapshot(follower);
  await until(async () => (await follow()) >= PRODUCTS, { what: "a copy of all products" });

  const removed = must([...copy.products.keys()][0], "a product");
  upstream.control.remove(removed);
  await until(() => run("revalidate"), { what: "revalidation to start" });
  await until(async () => (await follow()) < PRODUCTS, { what: "the copy without the product" });
  expect(copy.products.has(removed)).toBe(false);
  await until(
    async () => {
      await follow();
      return (await findDifferences(test.db, copy.products)).length === 0;
    },
    { what: "a copy equal to the catalogue" },
  );
});
