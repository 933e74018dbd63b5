import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { specifiedErrorCodes } from "../api-errors.ts";
import { searchOperations, type SearchOperation } from "./calls.ts";

/** Replies that are truncated, corrupt or too large, below the level of the API. */
const wireFaults = {
  html: (out) => sendHtml(out, 200, "maintenance"),
  html_400: (out) => sendHtml(out, 400, "bad"),
  http_500: (out) => sendHtml(out, 500, "500"),
  http_502: (out) => sendHtml(out, 502, "502"),
  http_503: (out) => sendHtml(out, 503, "503"),
  empty: (out) => out.writeHead(200, json).end(),
  invalid_json: (out) => out.writeHead(200, json).end('{"found":1,"start":0,"items":[{'),
  redirect: (out) => out.writeHead(302, { location: "https://elsewhere.example.com/" }).end(),
  /** Sends less than announced, then closes the connection. */
  truncated: (out) => {
    out.writeHead(200, { ...json, "content-length": "5000" });
    out.write('{"found":1,"start":0,"items":[{"item_id":', () => out.destroy());
  },
  reset: (out) => out.socket?.resetAndDestroy(),
  /** Accepts the call and never answers. */
  hang: () => {},
  /** Sends a byte every 100 ms until the client disconnects. */
  slow: (out) => {
    out.writeHead(200, json);
    const timer = setInterval(() => out.write(" "), 100);
    out.on("close", () => clearInterval(timer));
  },
  /** 9 MiB of valid JSON: slightly more than a client should accept. */
  oversized: (out) => writePadding(out.writeHead(200, json), 9),
  /** 64 MiB of valid JSON. */
  huge: (out) => writePadding(out.writeHead(200, json), 64),
  /** 64 KiB on the wire, 64 MiB inflated. */
  gzip_bomb: (out) =>
    out
      .writeHead(200, { ...json, "content-encoding": "gzip" })
      .end(gzipSync(Buffer.alloc(64 * mib, " "))),
} satisfies Record<string, (out: ServerResponse) => unknown>;

/** Valid replies with wrong items. */
const itemFaults = {
  wrong_types: (items) =>
    items.map((item) => ({ ...item, price: "12,50", item_id: String(item["item_id"]) })),
  missing_fields: (items) => items.map((item) => ({ ...item, title: undefined })),
  unknown_fields: (items) => items.map((item) => ({ ...item, brand_new_field: 1 })),
  unreadable_items: (items) => items.map((item) => ({ ...item, price: null })),
  one_broken_item: (items) => items.map((item, i) => (i === 0 ? { ...item, price: null } : item)),
  empty_refresh: () => [],
  half_of_the_items: (items) => items.slice(0, Math.floor(items.length / 2)),
} satisfies Record<string, (items: Item[]) => Item[]>;

type Item = Record<string, unknown>;

const mib = 1024 * 1024;
const json = { "content-type": "application/json; charset=utf-8" };

function sendHtml(out: ServerResponse, status: number, text: string): void {
  out.writeHead(status, { "content-type": "text/html" }).end(`<html>${text}</html>`);
}

function writePadding(out: ServerResponse, mebibytes: number): void {
  if (out.destroyed) return;
  if (mebibytes === 0) out.end('{"found":0,"start":0,"items":[]}');
  else out.write(" ".repeat(mib), () => writePadding(out, mebibytes - 1));
}

const faultNames = [
  ...specifiedErrorCodes,
  ...Object.keys(wireFaults),
  ...Object.keys(itemFaults),
] as const;

/** Plays a fault that replaces the whole reply; false for other faults. */
export function playWireFault(name: string, out: ServerResponse): boolean {
  const play: ((out: ServerResponse) => unknown) | undefined = isKeyOf(wireFaults, name)
    ? wireFaults[name]
    : undefined;
  play?.(out);
  return play !== undefined;
}

/** The items changed by the fault: those of its subject if it names any. Unchanged if the fault does not apply. */
export function spoilItems(fault: Fault | null, items: Item[]): Item[] {
  if (fault === null || !isKeyOf(itemFaults, fault.name)) return items;
  const spoil: (items: Item[]) => Item[] = itemFaults[fault.name];
  const { itemIds } = fault.subject;
  if (itemIds === undefined) return spoil(items);
  return items.flatMap((item) =>
    itemIds.includes(Number(item["item_id"])) ? spoil([item]) : [item],
  );
}

function isKeyOf<T extends object>(table: T, name: PropertyKey): name is keyof T {
  return Object.hasOwn(table, name);
}

/** The subject of a fault. It applies only to calls that match all of these. */
export const faultSubject = z.strictObject({
  operation: z.enum(searchOperations).optional(),
  q: z.string().optional(),
  /** The column that a search is ordered by first. */
  sort: z.string().optional(),
  /** Pages that begin in this range of positions, both ends included. */
  startFrom: z.int().min(0).optional(),
  startTo: z.int().min(0).optional(),
  shopId: z.string().optional(),
  /** Refreshes that request one of these ids. A fault that changes items changes only these, in all answers. */
  itemIds: z.array(z.int()).readonly().optional(),
});
export type FaultSubject = z.infer<typeof faultSubject>;

export interface Fault {
  name: string;
  subject: FaultSubject;
}

interface ArrivedCall {
  operation: SearchOperation;
  params: Readonly<Record<string, string>>;
  asked: readonly number[];
}

export type FaultQueue = ReturnType<typeof createFaultQueue>;

export function createFaultQueue() {
  let queue: (Fault & { calls: number })[] = [];
  const add = (name: string, calls: number, subject: FaultSubject) => {
    if (!faultNames.includes(name)) {
      throw new RangeError(`no fault is called ${name}; there are: ${faultNames.join(", ")}`);
    }
    queue.push({ name, calls, subject });
  };
  return {
    /**
     * Makes the next `calls` authenticated calls (of one operation, if given) fail in this way. Throws a
     * RangeError for an unknown name.
     */
    fail: (name: string, calls = 1, operation?: SearchOperation) => add(name, calls, { operation }),
    /** Makes every authenticated call about the subject fail in this way until `clear`. Throws like `fail`. */
    stay: (name: string, subject: FaultSubject) => add(name, Infinity, subject),
    /** Takes the fault for an arriving call; null if the call may succeed. */
    take(call: ArrivedCall): Fault | null {
      const fault = queue.find((f) => concerns(f, call));
      if (!fault) return null;
      fault.calls -= 1;
      if (fault.calls <= 0) queue = queue.filter((f) => f !== fault);
      return fault;
    },
    clear(): void {
      queue = [];
    },
  };
}

function concerns({ name, subject }: Fault, { operation, params, asked }: ArrivedCall): boolean {
  const start = Number(params["start"] ?? 0);
  const isOf = (wanted: string | undefined, value: string | undefined) =>
    wanted === undefined || wanted === value;
  return (
    isOf(subject.operation, operation) &&
    isOf(subject.q, params["q"]) &&
    isOf(subject.sort, params["sort"]?.split(/[\s,]/, 1)[0]) &&
    isOf(subject.shopId, params["shop_id"]) &&
    (subject.startFrom === undefined || start >= subject.startFrom) &&
    (subject.startTo === undefined || start <= subject.startTo) &&
    (subject.itemIds === undefined ||
      isKeyOf(itemFaults, name) ||
      asked.some((id) => subject.itemIds?.includes(id)))
  );
}
