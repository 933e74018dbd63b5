import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { specifiedErrorCodes } from "./api-errors.ts";
import type { SearchOperation } from "./calls.ts";

/** Replies cut, spoilt or swollen below the level of the API. */
const wireFaults = {
  html: (out) =>
    out.writeHead(200, { "content-type": "text/html" }).end("<html>maintenance</html>"),
  html_400: (out) => out.writeHead(400, { "content-type": "text/html" }).end("<html>bad</html>"),
  http_500: (out) => out.writeHead(500, { "content-type": "text/html" }).end("<html>500</html>"),
  http_502: (out) => out.writeHead(502, { "content-type": "text/html" }).end("<html>502</html>"),
  http_503: (out) => out.writeHead(503, { "content-type": "text/html" }).end("<html>503</html>"),
  empty: (out) => out.writeHead(200, json).end(),
  invalid_json: (out) => out.writeHead(200, json).end('{"found":1,"start":0,"items":[{'),
  redirect: (out) => out.writeHead(302, { location: "https://elsewhere.example.com/" }).end(),
  /** Less than was announced, then the connection is closed. */
  truncated: (out) => {
    out.writeHead(200, { ...json, "content-length": "5000" });
    out.write('{"found":1,"start":0,"items":[{"item_id":', () => out.destroy());
  },
  reset: (out) => out.socket?.resetAndDestroy(),
  /** Accepted, never answered. */
  hang: () => {},
  /** A byte every 100 ms until the client hangs up. */
  slow: (out) => {
    out.writeHead(200, json);
    const timer = setInterval(() => out.write(" "), 100);
    out.on("close", () => clearInterval(timer));
  },
  /** 64 MiB of valid JSON. */
  huge: (out) => {
    out.writeHead(200, json);
    writePadding(out, 64);
  },
  /** 64 KiB on the wire, 64 MiB inflated. */
  gzip_bomb: (out) =>
    out
      .writeHead(200, { ...json, "content-encoding": "gzip" })
      .end(gzipSync(Buffer.alloc(64 * MIB, " "))),
} satisfies Record<string, (out: ServerResponse) => unknown>;

/** Valid replies whose items are not what they should be. */
const itemFaults = {
  wrong_types: (items) =>
    items.map((item) => ({ ...item, price: "12,50", item_id: String(item["item_id"]) })),
  missing_fields: (items) => items.map((item) => ({ ...item, title: undefined })),
  unknown_fields: (items) => items.map((item) => ({ ...item, brand_new_field: 1 })),
  one_broken_item: (items) => items.map((item, i) => (i === 0 ? { ...item, price: null } : item)),
  empty_refresh: () => [],
  half_of_the_items: (items) => items.slice(0, Math.floor(items.length / 2)),
} satisfies Record<string, (items: Item[]) => Item[]>;

type Item = Record<string, unknown>;

const MIB = 1024 * 1024;
const json = { "content-type": "application/json; charset=utf-8" };

function writePadding(out: ServerResponse, mebibytes: number): void {
  if (out.destroyed) return;
  if (mebibytes === 0) out.end('{"found":0,"start":0,"items":[]}');
  else out.write(" ".repeat(MIB), () => writePadding(out, mebibytes - 1));
}

const faultNames = [
  ...specifiedErrorCodes,
  ...Object.keys(wireFaults),
  ...Object.keys(itemFaults),
] as const;

/** Plays a fault that replaces the whole reply; false when this is no such fault. */
export function playWireFault(name: string, out: ServerResponse): boolean {
  const play: ((out: ServerResponse) => unknown) | undefined = isKeyOf(wireFaults, name)
    ? wireFaults[name]
    : undefined;
  play?.(out);
  return play !== undefined;
}

/** The items as the fault spoils them; unchanged when it concerns something else. */
export function spoilItems(name: string | null, items: Item[]): Item[] {
  return name !== null && isKeyOf(itemFaults, name) ? itemFaults[name](items) : items;
}

function isKeyOf<T extends object>(table: T, name: PropertyKey): name is keyof T {
  return Object.hasOwn(table, name);
}

export interface FaultQueue {
  /** The next `calls` authenticated calls (of one operation, if given) fail in this way; throws a RangeError for an unknown name. */
  fail(name: string, calls?: number, operation?: SearchOperation): void;
  /** Takes the fault for a call that has arrived; null when it may succeed. */
  take(operation: SearchOperation): string | null;
  clear(): void;
}

export function createFaultQueue(): FaultQueue {
  let queue: { name: string; calls: number; operation: SearchOperation | undefined }[] = [];
  return {
    fail(name, calls = 1, operation) {
      if (!faultNames.includes(name)) {
        throw new RangeError(`no fault is called ${name}; there are: ${faultNames.join(", ")}`);
      }
      queue.push({ name, calls, operation });
    },
    take(operation) {
      const fault = queue.find((f) => f.operation === undefined || f.operation === operation);
      if (!fault) return null;
      fault.calls -= 1;
      if (fault.calls <= 0) queue = queue.filter((f) => f !== fault);
      return fault.name;
    },
    clear() {
      queue = [];
    },
  };
}
