import type postgres from "postgres";
import { askMeilisearch } from "../support/json-request.ts";
import { until } from "../support/until.ts";
import { withNaive, type Arena, type Control } from "./arena.ts";

const indexUid = "naive";

/** A search index of the control's own, spoken to as plainly as can be. */
function createNaiveIndex({ engine }: Arena) {
  const call = async <T>(path: string, method = "GET", body?: unknown): Promise<T> => {
    return (await askMeilisearch(engine, method, path, body)).json() as Promise<T>;
  };
  const finished = async (taskUid: number) =>
    until(
      async () => {
        const { status } = await call<{ status: string }>(`/tasks/${taskUid}`);
        return status === "enqueued" || status === "processing" ? null : status;
      },
      { what: "the task to end" },
    );
  return {
    finished,
    /** Resolves when the write is accepted, with the task's number. */
    async send(documents: readonly unknown[]) {
      const path = `/indexes/${indexUid}/documents?primaryKey=id`;
      return (await call<{ taskUid: number }>(path, "POST", documents)).taskUid;
    },
    async price(id: number) {
      const found = await call<{ price?: number }>(`/indexes/${indexUid}/documents/${id}`);
      return found.price ?? null;
    },
    async drop() {
      await finished((await call<{ taskUid: number }>(`/indexes/${indexUid}`, "DELETE")).taskUid);
    },
  };
}

type NaiveIndex = ReturnType<typeof createNaiveIndex>;

async function withRow(
  arena: Arena,
  work: (sql: postgres.Sql, index: NaiveIndex) => Promise<void>,
): Promise<string | null> {
  return withNaive(arena, 2, async (sql) => {
    const index = createNaiveIndex(arena);
    await sql`create table product (id int primary key, price int, dirty boolean)`;
    await sql`insert into product values (1, 100, true)`;
    try {
      await work(sql, index);
      const [row] = await sql<
        { price: number; dirty: boolean }[]
      >`select price, dirty from product`;
      const shown = await index.price(1);
      return row && !row.dirty && shown !== row.price
        ? `the index says ${shown}, the database ${row.price}, and nothing is to be done`
        : null;
    } finally {
      await index.drop();
    }
  });
}

async function readPrice(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<{ price: number }[]>`select price from product`;
  return Number(row?.price);
}

const flag: Control = {
  name: "the mirror: acknowledge without comparing versions",
  fails: (arena) =>
    withRow(arena, async (sql, index) => {
      const task = await index.send([{ id: 1, price: await readPrice(sql) }]);
      await sql`update product set price = 200, dirty = true`;
      await index.finished(task);
      await sql`update product set dirty = false`;
    }),
};

const acceptance: Control = {
  name: "the mirror: acknowledge what was accepted, in company of a bad document",
  fails: (arena) =>
    withRow(arena, async (sql, index) => {
      const bad = { id: "not an id!", price: 1 };
      const task = await index.send([{ id: 1, price: await readPrice(sql) }, bad]);
      await sql`update product set dirty = false`;
      await index.finished(task);
    }),
};

const unfenced: Control = {
  name: "the mirror: look at the lease, sleep, then write and acknowledge without asking again",
  fails: (arena) =>
    withRow(arena, async (sql, index) => {
      await sql`create table lease (holder text)`;
      await sql`insert into lease values ('sleeper')`;
      const isHolder = async (name: string) =>
        (await sql`select from lease where holder = ${name}`).length === 1;
      const old = (await isHolder("sleeper")) ? await readPrice(sql) : null;
      await sql`update lease set holder = 'other'`;
      await sql`update product set price = 300, dirty = true`;
      await index.finished(await index.send([{ id: 1, price: await readPrice(sql) }]));
      await sql`update product set dirty = false`;
      await index.finished(await index.send([{ id: 1, price: old }]));
      await sql`update product set dirty = false`;
    }),
};

export const engineControls: readonly Control[] = [flag, acceptance, unfenced];
