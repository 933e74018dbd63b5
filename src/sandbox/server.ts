import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { Clock } from "../lib/clock.ts";
import { errorCode } from "../lib/error-code.ts";
import { startLoop } from "../lib/loop.ts";
import { type Logger, silentLogger } from "../lib/logger.ts";
import { createCallLog, type SearchAccount } from "./search/calls.ts";
import type { Catalog } from "./catalogue/catalog.ts";
import { createControl, createControlRoutes, type SandboxControl } from "./control.ts";
import { sandboxApplication, sandboxCredentials } from "./credentials.ts";
import { createFaultQueue } from "./search/faults.ts";
import { createUsage, type UserLimits } from "./market/usage.ts";
import type { Application } from "./oauth/application.ts";
import { createGrants } from "./oauth/grants.ts";
import { createSearchIndex } from "./search/search.ts";
import { openWorld, type World } from "./world.ts";
import { ApiError } from "./api-errors.ts";
import { createGeneralApi, type GeneralApiOptions } from "./operations/routes.ts";
import { createOauthRoutes, type OauthOptions } from "./oauth/routes.tsx";
import { createPictureRoutes } from "./catalogue/pictures.ts";
import { createReferenceRoutes } from "./pages/reference.tsx";
import { jsonReply, requireHttps } from "./http.ts";
import { createSearchRoutes, type SearchRoutesOptions } from "./search/routes.ts";

export interface SandboxOptions {
  /** 127.0.0.1 by default. The control interface exists only on loopback hosts. */
  host?: string | undefined;
  /** By default that of the last start on this database if it is free, or else any free one. */
  port?: number | undefined;
  /** PEM texts. Without them only callers on this machine are answered (section 1: HTTPS only). */
  tls?: { key: string; cert: string } | undefined;
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  /** Several accounts of Search, instead of one by the settings above and the limit and zone below. */
  accounts?: readonly SearchAccount[];
  /** The application registered for the general API; by default `sandboxApplication`. */
  application?: Application;
  /** Search's calls per calendar day, both operations together; by default 10,000. */
  dailyLimit?: number | undefined;
  /** Calls of a shop owner to the general API; by default 5,000 an hour and 100,000 a day. */
  userLimits?: UserLimits;
  /** IANA zone in which the date changes; by default Asia/Tokyo. */
  timezone?: string | undefined;
  seed?: number | undefined;
  /** How many products to generate; by default 3,000. */
  products?: number | undefined;
  /** Products to serve instead of generated ones, and changes to replay instead of invented life. */
  catalogFile?: string | undefined;
  changesFile?: string | undefined;
  /** A Postgres that stores everything in the schema `sandbox`, unless files are given; by default in memory. */
  databaseUrl?: string | undefined;
  /** Simulated seconds per real second; by default 1 for a replay, 60 for simulated life. */
  speed?: number | undefined;
  /** Whether the catalogue changes by itself; true by default. */
  live?: boolean;
  clock: Clock;
  logger?: Logger;
}

export interface RunningSandbox {
  url: string;
  credentials: { clientId: string; clientSecret: string };
  application: Application;
  /** Keywords that together find every visible product, including new ones of generated and demo shops. */
  keywords: string[];
  catalog: Catalog;
  control: SandboxControl;
  close(): Promise<void>;
}

export const loopbackHosts = new Set(["127.0.0.1", "localhost", "::1"]);
const tickMs = 500;
const replaySpeed = 1;
const lifeSpeed = 60;

/**
 * Serves the Storefront Commerce API until closed. Throws `UnreadableFile`, `SandboxInUse` if another
 * sandbox uses the database, or an error if the port is taken.
 */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const { clock, host = "127.0.0.1", live = true, timezone = "Asia/Tokyo" } = options;
  const { seed = 1, products = 3000 } = options;
  const logger = options.logger ?? silentLogger;
  const credentials = {
    clientId: options.clientId ?? sandboxCredentials.clientId,
    clientSecret: options.clientSecret ?? sandboxCredentials.clientSecret,
  };
  const accounts = options.accounts ?? [
    { name: "default", ...credentials, dailyLimit: options.dailyLimit ?? 10_000, timezone },
  ];
  const application = options.application ?? sandboxApplication;
  const world = await openWorld({ ...options, seed, products, live, timezone });
  const { journal, catalog, market, replay } = world;
  const faults = createFaultQueue();
  const calls = createCallLog({ journal, clock, accounts });
  const limits = options.userLimits ?? { hour: 5_000, day: 100_000 };
  const grants = createGrants(journal, market.nowSeconds);
  const control = createControl(world, faults, calls);
  const app = createSandboxApp({
    catalog,
    accounts,
    calls,
    faults,
    application,
    grants,
    market,
    journal,
    logger,
    index: createSearchIndex(catalog),
    usage: createUsage({ journal, clock, timezone, limits }),
  });
  if (loopbackHosts.has(host)) app.route("/_control", createControlRoutes(control));

  // Does not replace global objects, because this process may use fetch for other things.
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const answer: RequestListener = (request, response) => void listener(request, response);
  const server = options.tls
    ? createTlsServer({ keepAliveTimeout: 30_000, ...options.tls }, answer)
    : createServer({ keepAliveTimeout: 30_000 }, answer);
  const url = await open(server, options, journal);

  const stopTicking = startLoop({
    name: "sandbox",
    clock,
    logger,
    step: createTick(world, {
      clock,
      live,
      speed: options.speed ?? (replay ? replaySpeed : lifeSpeed),
      prune: grants.prune,
    }),
  });

  return {
    url,
    credentials,
    application,
    keywords: world.keywords,
    catalog,
    control,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await Promise.all([closed, stopTicking()]);
      try {
        await journal.flush();
      } catch (error) {
        // A missing database must not prevent the rest of the process from ending.
        logger.error({ err: error }, "the sandbox's last changes were not stored");
      }
      await journal.close();
    },
  };
}

function createTick(
  world: World,
  { clock, live, speed, prune }: { clock: Clock; live: boolean; speed: number; prune(): void },
) {
  const { journal, life, replay, market, runBatches } = world;
  if (live) replay?.start();
  let lastMs = clock.monotonicMs();
  return async () => {
    const nowMs = clock.monotonicMs();
    const seconds = ((nowMs - lastMs) / 1000) * speed;
    lastMs = nowMs;
    if (replay) replay.pass(seconds);
    else if (live) life.pass(seconds, market.nowSeconds());
    if (live) runBatches();
    prune();
    await journal.flush();
    return tickMs;
  };
}

async function open(
  server: Server,
  { host = "127.0.0.1", port, tls }: SandboxOptions,
  journal: World["journal"],
): Promise<string> {
  try {
    const bound = await (port === undefined
      ? listenAgain(server, host, journal.formerUrl)
      : listen(server, port, host));
    const url = `${tls ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${bound}`;
    await journal.announce(url);
    return url;
  } catch (error) {
    server.close();
    await journal.close();
    throw error;
  }
}

/** On the port of before: stored addresses of pictures stay valid. */
async function listenAgain(
  server: Server,
  host: string,
  formerUrl: string | null,
): Promise<number> {
  const former = formerUrl === null ? 0 : Number(new URL(formerUrl).port);
  try {
    return await listen(server, former, host);
  } catch (error) {
    if (errorCode(error) !== "EADDRINUSE") throw error;
    return listen(server, 0, host);
  }
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  await once(server.listen(port, host), "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

type SandboxAppOptions = SearchRoutesOptions &
  GeneralApiOptions &
  OauthOptions & { logger: Logger };

type Env = { Bindings: HttpBindings };

/** The whole Storefront Commerce API, and its reference pages. */
function createSandboxApp(options: SandboxAppOptions): Hono<Env> {
  const app = new Hono<Env>();
  app.use(requireHttps);
  app.route("/", createSearchRoutes(options));
  app.route("/", createOauthRoutes(options));
  app.route("/", createGeneralApi(options));
  app.route("/", createPictureRoutes(options.catalog));
  app.route("/", createReferenceRoutes());
  app.all("/1/*", () => {
    throw new ApiError("not_found");
  });
  app.onError((error) => {
    const isRefusal = error instanceof ApiError;
    if (!isRefusal) options.logger.error({ err: error }, "the sandbox failed to answer");
    const { code, description, headers } = isRefusal ? error : new ApiError("server_error");
    const body = { error: code, error_description: description };
    return jsonReply(isRefusal ? 400 : 500, body, headers);
  });
  return app;
}
