import type { Db, Tx } from "../../db/open.ts";
import { runLoop, type LoopWatch } from "../../lib/loop.ts";
import type { Engine } from "../engine/engine.ts";
import { hostPrefix } from "../mirror/indexes/hosts.ts";
import { defaultIndexPrefix } from "../mirror/indexes/indexes.ts";
import { createMirror, type Mirror, type MirrorOptions } from "../mirror/mirror.ts";
import { startRebuild } from "../mirror/rebuild.ts";
import {
  verifyMirror,
  verifyShare,
  type Verdict,
  type VerifyMirrorOptions,
} from "../mirror/proof/verify.ts";
import { readServingIndex } from "../mirror/indexes/serving-index.ts";
import {
  advancePlacement,
  forgetOnlyHost,
  isAllServing,
  plainUrl,
  readHosts,
  registerHosts,
} from "./plan.ts";

/** The host that was the only one: its index answers until the others have all products. */
const onlyHost = 0;

export interface HostMirrorsOptions extends Omit<MirrorOptions, "engine" | "holder"> {
  engineOf: (url: string) => Engine;
  /** The hosts of the settings. */
  urls: readonly string[];
  copies: number;
  everyMs?: number;
  watch?: LoopWatch | undefined;
}

/**
 * Keeps the indexes of several hosts equal to the catalogue: places buckets, and runs a mirror for each
 * host. A host that does not answer holds up only its own mirror.
 */
export function createHostMirrors(options: HostMirrorsOptions): Mirror {
  const { db, clock, logger, engineOf, urls, copies, watch, ...rest } = options;
  const indexPrefix = rest.indexPrefix ?? defaultIndexPrefix;
  const leaveAfterMs = rest.leaveAfterMs ?? 10_000;
  const everyMs = options.everyMs ?? 5000;
  const running = new Map<
    number,
    { mirror: Mirror; ending: AbortController; done: Promise<void> }
  >();
  let isRegistered = false;

  function start(host: number, url: string, signal: AbortSignal): void {
    const mirror = createMirror({
      ...rest,
      db,
      clock,
      logger,
      engine: engineOf(url),
      indexPrefix: host === onlyHost ? indexPrefix : hostPrefix(indexPrefix, host),
      leaveAfterMs,
    });
    const ending = new AbortController();
    const done = runLoop({
      name: `mirror of ${url}`,
      clock,
      logger,
      signal: AbortSignal.any([signal, ending.signal]),
      step: mirror.step,
      watch,
    });
    running.set(host, { mirror, ending, done });
  }

  async function end(host: number): Promise<void> {
    const found = running.get(host);
    if (!found) return;
    running.delete(host);
    found.ending.abort();
    await found.done;
    await found.mirror.release();
  }

  return {
    async step(signal) {
      if (!isRegistered) await registerHosts(db, { urls, copies });
      isRegistered = true;
      await advancePlacement({ db, logger, indexPrefix, leaveAfterMs });
      const hosts = await readHosts(db);
      const needed = new Set(hosts.filter((one) => one.isNeeded).map(({ host }) => host));
      if (await isAllServing(db)) {
        await end(onlyHost);
        await forgetOnlyHost(db, indexPrefix);
      } else if ((await readServingIndex(db, indexPrefix)) !== null) {
        needed.add(onlyHost);
        if (!running.has(onlyHost)) start(onlyHost, plainUrl(urls[0] ?? ""), signal);
      }
      for (const { host, url } of hosts)
        if (needed.has(host) && !running.has(host) && !signal.aborted) start(host, url, signal);
      for (const host of running.keys()) if (!needed.has(host)) await end(host);
      return everyMs;
    },
    async release() {
      await Promise.all([...running.keys()].map(end));
    },
  };
}

export interface HostsOptions extends Omit<VerifyMirrorOptions, "engine"> {
  engineOf: (url: string) => Engine;
}

/** `verifyShare` for every host, one after another, also after one that fails. */
export async function verifyHosts(options: HostsOptions, signal?: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (const one of await ofHosts(options)) {
    const [checked] = await Promise.allSettled([verifyShare(one, signal)]);
    if (checked.status === "rejected") failures.push(checked.reason);
  }
  if (failures.length > 0) throw failures[0];
}

/** `verifyMirror` for every host, by its address. */
export async function verifyAllHosts(
  options: HostsOptions,
  signal?: AbortSignal,
): Promise<Map<string, Verdict>> {
  const reports = new Map<string, Verdict>();
  for (const { url, ...one } of await ofHosts(options))
    reports.set(url, await verifyMirror(one, signal));
  return reports;
}

async function ofHosts({ engineOf, indexPrefix = defaultIndexPrefix, ...options }: HostsOptions) {
  const hosts = await readHosts(options.db);
  return hosts
    .filter((host) => host.isNeeded)
    .map(({ host, url }) => ({
      ...options,
      url,
      engine: engineOf(url),
      indexPrefix: hostPrefix(indexPrefix, host),
    }));
}

/** Begins a new index beside the serving one on every host; returns their names with commas. */
export async function startHostRebuilds(
  db: Db | Tx,
  indexPrefix = defaultIndexPrefix,
): Promise<string> {
  const uids: string[] = [];
  for (const { host, wanted } of await readHosts(db))
    if (wanted) uids.push(await startRebuild(db, hostPrefix(indexPrefix, host)));
  return uids.join(",");
}

/** The engine of an address: of the settings with the credentials that they give, else as it was stored. */
export function enginesByUrl(
  hosts: readonly string[],
  open: (host: string) => Engine,
): (url: string) => Engine {
  const byUrl = new Map<string, Engine>();
  return (url) => {
    const known = byUrl.get(url) ?? open(hosts.find((host) => plainUrl(host) === url) ?? url);
    byUrl.set(url, known);
    return known;
  };
}
