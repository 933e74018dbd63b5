import { fileURLToPath } from "node:url";
import {
  PgDatabase,
  PgDeleteBase,
  PgDialect,
  PgInsertBase,
  PgInsertBuilder,
  PgSelectBuilder,
  PgSelectQueryBuilderBase,
  PgUpdateBase,
  PgUpdateBuilder,
} from "drizzle-orm/pg-core";
import type { Db } from "../../db/open.ts";

/** The text of a statement, to the place of the code that built it first. */
export interface Places {
  byText: Map<string, string>;
  stop(): void;
}

/** The folder of the project as stacks name it: as an address, and as a path. Both, for it may have spaces. */
const root = new URL("../../../", import.meta.url);
const roots = [root.href, fileURLToPath(root)];
/** A function in a line of a stack. */
const caller = /^ {4}at (?:async )?(?:new )?(?:Object\.|Function\.)?([^ (]+) (?:\[as [^\]]+\] )?\(/;
/** A place in a file of `src` or its compiled form. */
const frame = /^(?:src|dist)\/([^:?]+)\.[jt]sx?[?:]/;

/** What begins each kind of statement, and the statement that turns it into text when it is awaited. */
const makers: readonly [owner: object, method: string][] = [
  [PgSelectBuilder.prototype, "from"],
  [PgInsertBuilder.prototype, "values"],
  [PgInsertBuilder.prototype, "select"],
  [PgUpdateBuilder.prototype, "set"],
  [PgDatabase.prototype, "delete"],
];
const statements: readonly object[] = [
  PgSelectQueryBuilderBase.prototype,
  PgInsertBase.prototype,
  PgUpdateBase.prototype,
  PgDeleteBase.prototype,
];

/**
 * From now on remembers which function of which file builds each statement, as `file function`. Those
 * that no file of `src` builds, such as a test's own, are left out.
 */
export function watchPlaces(): Places {
  const byText = new Map<string, string>();
  // A stack costs more than many statements when it is read, so it is read once for each text.
  const seen = new Set<string>();
  const madeAt = new WeakMap<object, Error>();
  let inProgress: Error | undefined;
  const patched = [
    patch(
      PgDialect.prototype,
      "sqlToQuery",
      (original) =>
        function sqlToQuery(this: unknown, ...args) {
          const made = inProgress;
          const query = original.apply(this, args) as { sql: string };
          inProgress = undefined;
          if (seen.has(query.sql)) return query;
          seen.add(query.sql);
          // Node 26 names whoever awaits a statement, too: below the call that turns it into text for that.
          const [calls] = new Error("stack").stack?.split("query-promise.js") ?? [];
          const place = placeOf(calls) ?? placeOf(made?.stack);
          if (place !== null) byText.set(query.sql, place);
          return query;
        },
    ),
    ...makers.map(([owner, name]) =>
      patch(
        owner,
        name,
        (original) =>
          function make(this: unknown, ...args) {
            const made = original.apply(this, args) as object;
            madeAt.set(made, shortStack());
            return made;
          },
      ),
    ),
    ...statements.map((owner) =>
      patch(
        owner,
        "getSQL",
        (original) =>
          // Called right before `sqlToQuery`, when only the statement knows who has made it.
          function getSQL(this: object, ...args) {
            const text = original.apply(this, args);
            inProgress = madeAt.get(this);
            return text;
          } as Method,
      ),
    ),
  ];
  return { byText, stop: () => patched.forEach((restore) => restore()) };
}

/** Of whoever builds a statement: the nearest calls tell, and the whole stack takes longer than many statements. */
function shortStack(): Error {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 10;
  const error = new Error("stack");
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Replaces a method until the answer is called. */
function patch(owner: object, name: string, replace: (original: Method) => Method): () => void {
  const original: unknown = Reflect.get(owner, name);
  if (typeof original !== "function") throw new Error(`the driver has no ${name}`);
  Reflect.set(owner, name, replace(original as Method)); // a function, as just checked
  return () => void Reflect.set(owner, name, original);
}

/** The first line of the stack that is in `src`, but not in a test beside its file nor here. */
function placeOf(stack: string | undefined): string | null {
  for (const line of stack?.split("\n") ?? []) {
    const place = inProject(line);
    const [, file] = frame.exec(place) ?? [];
    if (place.startsWith("test/") || file?.endsWith(".test")) return null;
    if (file === undefined || file === "bench/scale/statements" || file === "db/open") continue;
    const name = caller.exec(line)?.[1]?.replace("<anonymous>", "") ?? "";
    return `${file}.ts ${name}`.trimEnd();
  }
  return null;
}

/** What follows the project's folder in a line of a stack; empty: it is outside. */
function inProject(line: string): string {
  const found = roots.find((one) => line.includes(one));
  return found === undefined ? "" : line.slice(line.indexOf(found) + found.length);
}

/** A statement with its lists of parameters shortened, so that it is the same for every number of them. */
export function normalise(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\$\d+/g, "$")
    .replaceAll(/\$(?:::[a-z ]+)?(?:, \$(?:::[a-z ]+)?)+/g, "$, …")
    .trim();
}

/** Milliseconds of one statement. */
export interface StatementTime {
  /** From its connection's turn to its last row. */
  ms: number;
  /** Until a connection was free and had answered what was sent before it. */
  waitedMs: number;
}

type OnStatement = (text: string, time: StatementTime) => void;
/** The driver sets `active` when the connection begins with the statement. */
type Watched = { active: boolean; handle(): unknown; resolve(rows: unknown): void };
type Client = {
  unsafe(...args: unknown[]): Watched;
  begin?(...args: unknown[]): unknown;
  savepoint?(...args: unknown[]): unknown;
};

/** Calls `onStatement` with the text and the times of each statement that succeeds. */
export function watchTimes(db: Db, onStatement: OnStatement): void {
  // Safe: the driver's client and queries have these members; its types tell only what is public.
  watchClient(db.$client as unknown as Client, onStatement);
}

function watchClient(client: Client, onStatement: OnStatement): void {
  const { unsafe } = client;
  client.unsafe = (...args) => {
    const query = unsafe(...args);
    watchQuery(query, (time) => onStatement(String(args[0]), time));
    return query;
  };
  for (const name of ["begin", "savepoint"] as const) {
    const original = client[name];
    if (!original) continue;
    client[name] = (...args) =>
      original(
        ...args.map((arg) =>
          typeof arg === "function"
            ? (inner: Client) => {
                watchClient(inner, onStatement);
                return arg(inner) as unknown;
              }
            : arg,
        ),
      );
  }
}

function watchQuery(query: Watched, onEnd: (time: StatementTime) => void): void {
  const { handle, resolve } = query;
  let { active } = query;
  let sentMs: number | null = null;
  let startMs: number | null = null;
  Object.defineProperty(query, "active", {
    get: () => active,
    set(is: boolean) {
      active = is;
      if (is) startMs ??= performance.now();
    },
  });
  query.handle = () => {
    sentMs ??= performance.now();
    return handle.call(query);
  };
  query.resolve = (rows) => {
    if (sentMs !== null && startMs !== null)
      onEnd({ ms: performance.now() - startMs, waitedMs: startMs - sentMs });
    resolve.call(query, rows);
  };
}
