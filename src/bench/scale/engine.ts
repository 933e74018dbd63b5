import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import type { SearchAnswer } from "../../search/engine/answers.ts";
import { EngineUnavailable, type Engine, type TaskTicket } from "../../search/engine/engine.ts";
import { desiredSettings, settingsHash } from "../../search/index/settings.ts";

/** An engine whose writes succeed at once and keep nothing, and whose searches find the products of `pick`. */
export async function createBenchEngine(db: Db, pick: () => number): Promise<Engine> {
  const [index] = await db.execute<{ epoch: string }>(sql`select epoch from mirror_index`);
  await db.execute(sql`update mirror_index set settings_hash = ${settingsHash()}`);
  const settings = desiredSettings(index?.epoch ?? "");
  let task = 0;
  const accept = async (): Promise<TaskTicket> => ({
    taskUid: (task += 1),
    indexUid: "products_v1",
    type: "documentAdditionOrUpdate",
    enqueuedAt: String(task),
  });
  const answer = (): SearchAnswer => ({
    hits: Array.from({ length: 20 }, () => ({ id: pick(), _rankingScore: 1 })),
    processingTimeMs: 1,
    totalHits: 1000,
    estimatedTotalHits: 1000,
    facetDistribution: {},
    facetStats: {},
  });
  return {
    health: async () => {},
    readIndex: async () => ({ primaryKey: "id" }),
    createIndex: accept,
    deleteIndex: accept,
    readSettings: async () => settings,
    writeSettings: accept,
    addDocuments: accept,
    deleteDocuments: accept,
    fetchDocuments: async () => [],
    countDocuments: async () => Infinity,
    newestTaskUid: async () => task,
    readWrites: async () => [],
    readTasks: async (taskUids) =>
      taskUids.map((taskUid) => ({
        taskUid,
        indexUid: "products_v1",
        type: "documentAdditionOrUpdate",
        enqueuedAt: String(taskUid),
        status: "succeeded",
        error: null,
      })),
    awaitTask: async () => {},
    forgetTasks: async () => {},
    search: async () => answer(),
    multiSearch: async (queries) => queries.map(answer),
    federatedSearch: async () => answer(),
    facetSearch: async () => ({ facetHits: [], facetQuery: null, processingTimeMs: 1 }),
  };
}

/** Every search fails, so that Postgres answers it. */
export function withoutSearches(engine: Engine): Engine {
  const fail = () => Promise.reject(new EngineUnavailable("absent"));
  return { ...engine, search: fail, multiSearch: fail, federatedSearch: fail, facetSearch: fail };
}
