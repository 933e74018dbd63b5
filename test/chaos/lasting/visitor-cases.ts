import { connect, type Socket } from "node:net";
import { must } from "../../../src/lib/must.ts";
import type { ProbedCase, ProbeName, Site } from "./service-case.ts";
import { consoleForm, insist, type Asked } from "./visitors.ts";

const everybody: readonly ProbeName[] = ["engine searches", "products", "ops"];

interface Visitor {
  ids: readonly string[];
  what: string;
  clients: number;
  everyMs?: number;
  probes?: readonly ProbeName[];
  warmSeconds?: number;
  request(n: number, site: Site): Asked;
}

function visitor({ ids, what, clients, everyMs = 0, request, ...rest }: Visitor): ProbedCase {
  const subject = `${clients} client${clients === 1 ? "" : "s"}`;
  const apply = async (site: Site) => insist(site, clients, (n) => request(n, site), { everyMs });
  return { ids, what, subject, apply, probes: everybody, ...rest };
}

const search = (body: unknown): Asked => ({
  method: "POST",
  path: "/meili/indexes/products/search",
  body: JSON.stringify(body),
});
const word = ({ words }: Site, n: number) =>
  encodeURIComponent(must(words[n % words.length], "a word"));

/** The most hits that are let in: whoever is refused asks for half as many the next time. */
function heaviest(): ProbedCase {
  let hits = 200;
  let queries = 20;
  return {
    ids: ["B21", "A4"],
    what: "the heaviest searches that are let in",
    subject: "8 clients",
    probes: everybody,
    warmSeconds: 3,
    async apply(site) {
      const everything = ["*"];
      const request = (n: number): Asked => ({
        method: "POST",
        path: "/meili/multi-search",
        body: JSON.stringify({
          queries: Array.from({ length: queries }, (_, i) => ({
            indexUid: "products",
            q: site.words[(n * queries + i) % site.words.length],
            limit: hits,
            attributesToHighlight: everything,
            attributesToCrop: everything,
            cropLength: 500,
            facets: everything,
          })),
        }),
      });
      return insist(site, 8, request, {
        told(seen) {
          if (seen?.status !== 400 && seen?.status !== 413) return;
          if (hits > 20) hits = Math.floor(hits / 2);
          else queries = Math.max(1, Math.floor(queries / 2));
        },
      });
    },
  };
}

/** Bytes that come one a second, or never, on many connections. */
function slowSockets(ids: readonly string[], what: string, head: string): ProbedCase {
  return {
    ids,
    what,
    subject: "300 connections",
    probes: everybody,
    async apply({ url }) {
      const { hostname, port } = new URL(url());
      const sockets: Socket[] = [];
      const open = () => {
        const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(head));
        socket.on("error", () => socket.destroy()).resume();
        sockets.push(socket);
      };
      for (let i = 0; i < 300; i += 1) open();
      const dripping = setInterval(() => {
        for (const socket of sockets) if (socket.writable) socket.write("x");
      }, 1000);
      return async () => {
        clearInterval(dripping);
        for (const socket of sockets) socket.destroy();
      };
    },
  };
}

const fourMegabytes = JSON.stringify({ item_ids: "9".repeat(4_000_000) });
const many = (length: number, text: string) => Array.from({ length }, (_, i) => `${text}${i}`);

/** Visitors who never stop. */
export const visitorCases: readonly ProbedCase[] = [
  visitor({
    ids: ["B20"],
    what: "a crop marker that the engine refuses",
    clients: 2,
    everyMs: 20,
    request: () => ({
      method: "POST",
      path: "/meili/indexes/products/search",
      // As bytes on the wire: half a surrogate pair.
      body: '{"q":"a","attributesToCrop":["*"],"cropMarker":"\\ud800"}',
    }),
  }),
  visitor({
    ids: ["B20", "A1", "A5"],
    what: "odd bodies of every kind",
    clients: 2,
    everyMs: 20,
    request: (n) =>
      must(
        [
          search({ q: "\u0000" }),
          search({ q: "a", filter: "price > 1e400" }),
          search({ q: "a", highlightPreTag: "\ud800", attributesToHighlight: ["*"] }),
          search({ q: "\udfff", attributesToCrop: ["detail:0"], rankingScoreThreshold: 1 }),
          search({ q: "a", filter: many(200, 'shop_id = "').map((one) => `${one}"`) }),
          search({ q: "a", offset: 9_007_199_254_740_991 }),
          { method: "POST", path: "/meili/multi-search", body: '{"queries":[{}]}' } as const,
          { path: "/v1/products?q=%00%FF&page=-1&per_page=1e9" },
        ][n % 8],
        "a request",
      ),
  }),
  heaviest(),
  visitor({
    ids: ["B22", "A3"],
    what: "distinct pages of 100 hits, one after another",
    clients: 4,
    everyMs: 20,
    request: (n, site) => ({
      path: `/v1/products?q=${word(site, n)}&per_page=100&page=${1 + (n % 10)}&price_min=${n}`,
    }),
  }),
  visitor({
    ids: ["B23"],
    what: "signing out without a session",
    clients: 4,
    request: (_, { url }) => consoleForm(url(), "/ops/sign-out", ""),
  }),
  visitor({
    ids: ["B24", "O1"],
    what: "guessing the ops token",
    clients: 2,
    everyMs: 50,
    request: (n) => ({ path: "/ops/v1/budget", headers: { authorization: `Bearer guess-${n}` } }),
  }),
  visitor({
    ids: ["B24", "O1", "O2"],
    what: "guessing at the console's door",
    clients: 2,
    everyMs: 50,
    request: (n, { url }) => consoleForm(url(), "/ops/sign-in", `token=guess-${n}&next=/ops`),
  }),
  visitor({
    ids: ["B26"],
    what: "the dear lists, again and again",
    clients: 8,
    request: (n) => ({
      path: must(
        [
          "/v1/shops",
          `/v1/price-drops?since=2000-01-01T00:00:00Z&min_percent=${1 + (n % 90)}`,
          "/v1/categories",
          "/v1/status",
          "/readyz",
          "/metrics",
        ][n % 6],
        "a path",
      ),
    }),
  }),
  visitor({
    ids: ["A1", "A2"],
    what: "parameters that cannot be",
    clients: 4,
    request: (n) => ({
      path: must(
        [
          "/v1/products?limit=-1",
          "/v1/products?page=NaN&page=2",
          `/v1/products?shop_id=${encodeURIComponent('b" OR price < 0 OR "')}`,
          `/v1/products?q=${"a".repeat(5000)}`,
          "/v1/products/99999999999999999999",
        ][n % 5],
        "a path",
      ),
    }),
  }),
  visitor({
    ids: ["A3"],
    what: "the deepest pages",
    clients: 4,
    request: (n, site) => ({
      path: `/v1/products?q=${word(site, n)}&per_page=100&page=${5 + (n % 6)}`,
    }),
  }),
  visitor({
    ids: ["A5"],
    what: "suggestions and degenerate words",
    clients: 4,
    request: (n, site) => ({
      path: `/v1/suggest?q=${n % 2 ? word(site, n) : encodeURIComponent("\u202e𩸽́".repeat(20))}`,
    }),
  }),
  visitor({
    ids: ["A6"],
    what: "1,000 headers and hosts of every kind",
    clients: 2,
    request: (n) => ({
      path: "/v1/products?q=a",
      headers: Object.fromEntries(many(n % 2 ? 60 : 900, "x-odd-").map((name) => [name, "y"])),
    }),
  }),
  visitor({
    ids: ["A7"],
    what: "bodies of 4 MB",
    clients: 2,
    everyMs: 50,
    request: (n) => ({
      method: "POST",
      path: n % 2 ? "/meili/multi-search" : "/v1/products/lookup",
      body: fourMegabytes,
      // Refused unread, the server ends the connection, which must not be the probes'.
      headers: { connection: "close" },
    }),
  }),
  visitor({
    ids: ["A9"],
    what: "other addresses in X-Forwarded-For with every request",
    clients: 4,
    request: (n, site) => ({
      path: `/v1/products?q=${word(site, n)}`,
      headers: { "x-forwarded-for": `10.${n % 200}.${(n >> 8) % 200}.7` },
    }),
  }),
  visitor({
    ids: ["A12", "A13"],
    what: "products that are unknown",
    clients: 4,
    request: (n) => ({ path: `/v1/products/${500_000_000 + n}` }),
  }),
  visitor({
    ids: ["O3", "O5"],
    what: "forged posts at the console's actions",
    clients: 4,
    request: (n) => ({
      method: "POST",
      path: n % 2 ? "/ops/pause" : "/ops/mirror/rebuild",
      body: "form_token=forged",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "sec-fetch-site": "cross-site",
        origin: "https://elsewhere.example",
      },
    }),
  }),
  slowSockets(
    ["A8"],
    "headers that never end",
    "GET /v1/products?q=a HTTP/1.1\r\nHost: a\r\nX-Slow: ",
  ),
  slowSockets(
    ["A8"],
    "bodies that never end",
    "POST /meili/multi-search HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n",
  ),
];
