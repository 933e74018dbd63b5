import { Meilisearch, MeilisearchApiError, type RequestOptions } from "meilisearch";
import type { Clock } from "../../lib/clock.ts";
import { isRecord } from "../../lib/is-record.ts";
import {
  isFacetSearchAnswer,
  isMultiAnswer,
  isSearchAnswer,
  type FacetSearchAnswer,
  type FederatedAnswer,
  type SearchAnswer,
} from "./answers.ts";
import { createPost, type EngineReply } from "./http.ts";
import { systemCodes } from "./error-codes.ts";

const keyCodes = new Set(["invalid_api_key", "missing_authorization_header"]);

const mendOf = (code: string) =>
  keyCodes.has(code) ? " (MEILI_API_KEY is not a key of this engine, or not any more)" : "";

/** The engine is down, overloaded, full, slow, or refuses our key. The request is fine: try later. */
export class EngineUnavailable extends Error {
  override readonly name = "EngineUnavailable";
  readonly code: string;
  constructor(code: string, cause?: unknown) {
    super(`search engine unavailable: ${code}${mendOf(code)}`, { cause });
    this.code = code;
  }
}

/** The engine refused the request; the same request will fail again. */
export class EngineRefused extends Error {
  override readonly name = "EngineRefused";
  readonly code: string;
  constructor(code: string, message: string) {
    super(`search engine refused: ${message}`);
    this.code = code;
  }
}

/** The engine accepted the task, and the task failed. */
export class TaskFailed extends Error {
  override readonly name = "TaskFailed";
  readonly code: string;
  constructor(code: string, message: string) {
    super(`search engine task failed: ${message}`);
    this.code = code;
  }
}

/** Identifies a task. All fields together, because an engine that lost its data counts from 0 again. */
export interface TaskTicket {
  taskUid: number;
  indexUid: string | null;
  type: string;
  enqueuedAt: string;
}

export interface TaskOutcome extends TaskTicket {
  status: "enqueued" | "processing" | "succeeded" | "failed" | "canceled";
  error: { code: string; message: string } | null;
}

type Members = Record<string, unknown>;

export interface FetchRequest {
  filter?: string;
  fields?: string[];
  limit: number;
}

/** The part of Meilisearch 1.21 that Kurabe uses; the client's own types describe newer servers. */
export interface Engine {
  health(): Promise<void>;
  /** null: there is no such index. */
  readIndex(uid: string): Promise<{ primaryKey: string | null } | null>;
  createIndex(uid: string): Promise<TaskTicket>;
  deleteIndex(uid: string): Promise<TaskTicket>;
  readSettings(uid: string): Promise<Record<string, unknown>>;
  writeSettings(uid: string, settings: Record<string, unknown>): Promise<TaskTicket>;
  /** Replaces whole documents; `documents` is newline-delimited JSON. */
  addDocuments(uid: string, documents: string): Promise<TaskTicket>;
  deleteDocuments(uid: string, ids: readonly (number | string)[]): Promise<TaskTicket>;
  fetchDocuments(uid: string, request: FetchRequest): Promise<Record<string, unknown>[]>;
  countDocuments(uid: string): Promise<number>;
  /** Of all tasks that it knows; null: it knows none. */
  newestTaskUid(): Promise<number | null>;
  /** Unknown tasks are left out. */
  readTasks(taskUids: readonly number[]): Promise<TaskOutcome[]>;
  /** Up to 1,000 writes of documents to these indexes since then, the newest first. */
  readWrites(indexUids: readonly string[], since: Date): Promise<TaskTicket[]>;
  /** Waits for success. Throws TaskFailed, or EngineUnavailable after the timeout. */
  awaitTask(ticket: TaskTicket, timeoutMs: number): Promise<void>;
  /** Deletes finished tasks that were enqueued before `before`, because the engine's task store is bounded. */
  forgetTasks(before: Date): Promise<void>;
  search(uid: string, query: Members): Promise<SearchAnswer>;
  multiSearch(queries: readonly Members[]): Promise<SearchAnswer[]>;
  federatedSearch(queries: readonly Members[], federation: Members): Promise<FederatedAnswer>;
  facetSearch(uid: string, query: Members): Promise<FacetSearchAnswer>;
}

/** The part that answers searches. */
export type SearchEngine = Pick<
  Engine,
  "search" | "multiSearch" | "federatedSearch" | "facetSearch"
>;

export interface EngineOptions {
  host: string;
  /** null or empty: the engine needs no key. */
  apiKey: string | null;
  clock: Clock;
  /** Time limit of one read or write of the mirror, including the body. */
  writeTimeoutMs?: number;
  searchTimeoutMs?: number;
}

export const defaultWriteTimeoutMs = 8000;
const writes = { types: "documentAdditionOrUpdate", limit: 1000 };
type TaskList = { results: (Omit<TaskOutcome, "taskUid"> & { uid: number })[] };

export function createEngine(options: EngineOptions): Engine {
  const { httpRequest: http } = new Meilisearch({
    host: options.host,
    ...(options.apiKey ? { apiKey: options.apiKey } : {}),
    timeout: options.writeTimeoutMs ?? defaultWriteTimeoutMs,
  });
  const send = async <T>(
    method: "get" | "post" | "patch" | "delete",
    route: string,
    request: Omit<RequestOptions, "path"> = {},
  ): Promise<T> => translated(http[method]<T>({ path: route, ...request }));
  async function listTasks(params: Record<string, string | number>): Promise<TaskOutcome[]> {
    const { results } = await send<TaskList>("get", "tasks", { params });
    return results.map((task) => ({
      ...task,
      taskUid: task.uid,
      error: task.error && { ...task.error, message: shownMessage(task.error) },
    }));
  }
  const engine: Engine = {
    health: () => send("get", "health"),
    async readIndex(uid) {
      try {
        return await send("get", path(uid));
      } catch (error) {
        if (error instanceof EngineRefused && error.code === "index_not_found") return null;
        throw error;
      }
    },
    createIndex: (uid) => send("post", "indexes", { body: { uid, primaryKey: "id" } }),
    deleteIndex: (uid) => send("delete", path(uid)),
    readSettings: (uid) => send("get", path(uid, "/settings")),
    writeSettings: (uid, settings) => send("patch", path(uid, "/settings"), { body: settings }),
    addDocuments: (uid, documents) =>
      send("post", path(uid, "/documents"), {
        params: { primaryKey: "id" },
        contentType: "application/x-ndjson",
        body: documents,
      }),
    deleteDocuments: (uid, ids) =>
      send("post", path(uid, "/documents/delete-batch"), { body: [...ids] }),
    async fetchDocuments(uid, request) {
      const route = path(uid, "/documents/fetch");
      return (await send<{ results: Members[] }>("post", route, { body: request })).results;
    },
    async countDocuments(uid) {
      const route = path(uid, "/documents/fetch");
      return (await send<{ total: number }>("post", route, { body: { limit: 0 } })).total;
    },
    newestTaskUid: async () => (await listTasks({ limit: 1 }))[0]?.taskUid ?? null,
    readTasks: async (uids) =>
      uids.length === 0 ? [] : listTasks({ uids: uids.join(","), limit: uids.length }),
    readWrites: (indexUids, since) =>
      listTasks({
        ...writes,
        indexUids: indexUids.join(","),
        afterEnqueuedAt: since.toISOString(),
      }),
    async awaitTask(ticket, timeoutMs) {
      const deadlineMs = options.clock.monotonicMs() + timeoutMs;
      while (options.clock.monotonicMs() < deadlineMs) {
        const [task] = await engine.readTasks([ticket.taskUid]);
        if (!task || !isSameTask(ticket, task)) throw new EngineUnavailable("task_vanished");
        if (task.status === "succeeded") return;
        if (task.status === "failed" || task.status === "canceled") {
          const code = task.error?.code ?? task.status;
          if (systemCodes.has(code)) throw new EngineUnavailable(code);
          throw new TaskFailed(code, task.error?.message ?? code);
        }
        await options.clock.sleep(20);
      }
      throw new EngineUnavailable("task_timeout");
    },
    async forgetTasks(before) {
      const beforeEnqueuedAt = before.toISOString();
      const params = { statuses: "succeeded,failed,canceled", beforeEnqueuedAt };
      await send("delete", "tasks", { params });
    },
    ...createSearches(options),
  };
  return engine;
}

const path = (uid: string, rest = "") => `indexes/${encodeURIComponent(uid)}${rest}`;

/** Searches have a client of their own, with a shorter time limit. */
function createSearches(options: EngineOptions): SearchEngine {
  const post = createPost({ ...options, timeoutMs: options.searchTimeoutMs ?? 1500 });
  async function ask<T>(route: string, body: unknown, isAnswer: (given: unknown) => given is T) {
    const answer = toAnswer(await posted(post(route, body)));
    if (!isAnswer(answer)) throw new EngineUnavailable("no_search_answer");
    return answer;
  }
  return {
    search: (uid, query) => ask(path(uid, "/search"), query, isSearchAnswer),
    async multiSearch(queries) {
      return (await ask("multi-search", { queries }, isMultiAnswer)).results;
    },
    federatedSearch: (queries, federation) =>
      ask("multi-search", { queries, federation }, isSearchAnswer),
    facetSearch: (uid, query) => ask(path(uid, "/facet-search"), query, isFacetSearchAnswer),
  };
}

/** Task numbers start at 0 again after the engine lost its data, so the number alone is no proof. */
export function isSameTask(ticket: TaskTicket, task: TaskTicket): boolean {
  return (
    task.taskUid === ticket.taskUid &&
    task.indexUid === ticket.indexUid &&
    task.type === ticket.type &&
    task.enqueuedAt === ticket.enqueuedAt
  );
}

async function translated<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof MeilisearchApiError)) {
      throw new EngineUnavailable(error instanceof SyntaxError ? "not_json" : "no_answer", error);
    }
    const { status } = error.response;
    throw toFault(status, error.cause?.code ?? `http_${status}`, error.message, error);
  }
}

async function posted(reply: Promise<EngineReply>): Promise<EngineReply> {
  try {
    return await reply;
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    throw new EngineUnavailable(isLate ? "timeout" : "no_answer", error);
  }
}

function toAnswer({ status, text }: EngineReply): unknown {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw new EngineUnavailable(status === 200 ? "not_json" : `http_${status}`, error);
  }
  if (status === 200) return body;
  const { code, message } = isRecord(body) ? body : {};
  const told = typeof code === "string" ? code : `http_${status}`;
  // The engine gives each refusal a code. Without one something in front of the engine refuses us, whatever the search.
  if (told !== code || status === 401 || status === 403) throw new EngineUnavailable(told);
  throw toFault(status, told, typeof message === "string" ? message : "", undefined);
}

function toFault(status: number, code: string, message: string, cause: unknown): Error {
  if (status >= 500 || status === 429 || status === 408 || systemCodes.has(code)) {
    return new EngineUnavailable(code, cause);
  }
  return new EngineRefused(code, shownMessage({ code, message }));
}

/** Messages about an embedder may quote its options, and these its secrets. */
function shownMessage({ code, message }: { code: string; message: string }): string {
  return /embed/.test(code) ? "the embedder fails; the engine's log says why" : message;
}
