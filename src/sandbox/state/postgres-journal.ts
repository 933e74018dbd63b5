import postgres from "postgres";
import type { Clock } from "../../lib/clock.ts";
import { ipv6Host } from "../../lib/ipv6-host.ts";
import { createMutex } from "../../lib/async.ts";
import { must } from "../../lib/must.ts";
import type { Journal } from "./journal.ts";

/** Another sandbox uses this database: use that sandbox, or another database. */
export class SandboxInUse extends Error {
  override readonly name = "SandboxInUse";
  /** Its address; null if it has not published one. */
  readonly url: string | null;

  constructor(url: string | null) {
    super(`another sandbox${url ? ` (${url})` : ""} keeps its state in this database`);
    this.url = url;
  }
}

const layoutVersion = 1;
const lockWaitMs = 3_000;
const rowsAStatement = 1_000;

interface Note {
  kind: string;
  id: string;
  body: unknown;
}

/**
 * Stores the records in the schema `sandbox` of a database, and creates the schema. A session lock
 * allows one sandbox at a time. Every write also checks an epoch, because a lost connection silently
 * loses the lock. Throws `SandboxInUse`, or an error if the database does not answer.
 */
export async function openPostgresJournal(options: {
  databaseUrl: string;
  /** Identifies the initial catalogue. Records of another one are deleted. */
  origin: Record<string, unknown>;
  clock: Clock;
}): Promise<Journal> {
  const client = postgres(options.databaseUrl, {
    ...ipv6Host(options.databaseUrl),
    max: 1,
    fetch_types: false,
    onnotice: () => {},
    connect_timeout: 10,
    idle_timeout: 0,
    // Replacing an old connection would release the lock, and so would the server's limit for idle ones.
    max_lifetime: null,
    connection: {
      application_name: "kurabe:sandbox",
      idle_session_timeout: 2 ** 31 - 1,
      statement_timeout: 30_000,
      idle_in_transaction_session_timeout: 30_000,
      lock_timeout: 30_000,
    },
  });
  try {
    await createSchema(client);
    await takeLock(client, options.clock);
    const { epoch, url } = await nextEpoch(client);
    const kept = await readRecords(client, { ...options.origin, layout: layoutVersion });
    return createJournal(client, { epoch, formerUrl: url }, kept);
  } catch (error) {
    await client.end({ timeout: 5 });
    throw error;
  }
}

/** `json`, because `jsonb` refuses some texts that shops may write (U+0000). */
async function createSchema(client: postgres.Sql): Promise<void> {
  await client.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended('kurabe:sandbox-schema', 0))`;
    await tx`create schema if not exists sandbox`;
    await tx`create table if not exists sandbox.owner (
      is_only boolean primary key default true check (is_only), epoch int not null, url text)`;
    await tx`create table if not exists sandbox.record (
      kind text not null, id text not null, body json not null, primary key (kind, id))`;
    await tx`insert into sandbox.owner (epoch) values (0) on conflict do nothing`;
  });
}

/** Waits a little, because Postgres may need a moment to notice a killed process. */
async function takeLock(client: postgres.Sql, clock: Clock): Promise<void> {
  const deadlineMs = clock.monotonicMs() + lockWaitMs;
  for (;;) {
    const [row] = await client<{ taken: boolean }[]>`
      select pg_try_advisory_lock(hashtextextended('kurabe:sandbox', 0)) as taken`;
    if (row?.taken) return;
    if (clock.monotonicMs() >= deadlineMs) {
      const [owner] = await client<{ url: string | null }[]>`select url from sandbox.owner`;
      throw new SandboxInUse(owner?.url ?? null);
    }
    await clock.sleep(200);
  }
}

interface Tenure {
  epoch: number;
  /** Of the sandbox before. */
  url: string | null;
}

async function nextEpoch(client: postgres.Sql): Promise<Tenure> {
  const [row] = await client<Tenure[]>`
    update sandbox.owner o set epoch = o.epoch + 1, url = null from sandbox.owner former
    where former.is_only = o.is_only returning o.epoch, former.url`;
  return must(row, "the owner's row");
}

type Kept = Map<string, Map<string, unknown>>;

async function readRecords(client: postgres.Sql, origin: Record<string, unknown>): Promise<Kept> {
  const [stored] = await client<{ body: string }[]>`
    select body::text from sandbox.record where kind = 'origin' and id = 'origin'`;
  const wanted = JSON.stringify(origin);
  const kept: Kept = new Map();
  if (stored?.body === wanted) {
    const rows = await client<{ kind: string; id: string; body: string }[]>`
      select kind, id, body::text from sandbox.record where kind <> 'origin' order by kind, id`;
    for (const { kind, id, body } of rows) {
      kept.set(kind, (kept.get(kind) ?? new Map<string, unknown>()).set(id, JSON.parse(body)));
    }
    return kept;
  }
  await client.begin(async (tx) => {
    await tx`truncate sandbox.record`;
    await tx`insert into sandbox.record values ('origin', 'origin', ${wanted}::text::json)`;
  });
  return kept;
}

function createJournal(
  client: postgres.Sql,
  { epoch, formerUrl }: { epoch: number; formerUrl: string | null },
  kept: Kept,
): Journal {
  const oneAtATime = createMutex();
  let notes = new Map<string, Note>();

  async function write(taken: readonly Note[]): Promise<void> {
    await client.begin(async (tx) => {
      const [owner] = await tx<{ epoch: number }[]>`select epoch from sandbox.owner for update`;
      if (owner?.epoch !== epoch)
        throw new Error("another sandbox has taken over this one's state");
      for (let i = 0; i < taken.length; i += rowsAStatement) {
        await writeRows(tx, taken.slice(i, i + rowsAStatement));
      }
    });
  }

  return {
    isResumed: kept.size > 0,
    formerUrl,
    stored: (kind) => kept.get(kind) ?? new Map(),
    note(kind, id, body) {
      notes.set(`${kind}/${id}`, { kind, id, body });
    },
    flush: () =>
      oneAtATime(async () => {
        if (notes.size === 0) return;
        const taken = notes;
        notes = new Map();
        try {
          await write([...taken.values()]);
        } catch (error) {
          notes = new Map([...taken, ...notes]);
          throw error;
        }
      }),
    announce: async (url) => {
      await client`update sandbox.owner set url = ${url} where epoch = ${epoch}`;
    },
    close: () => client.end({ timeout: 5 }),
  };
}

async function writeRows(tx: postgres.TransactionSql, rows: readonly Note[]): Promise<void> {
  // A body travels as a text, because reading it as JSON here would fail at an escaped U+0000.
  const put = rows
    .filter(({ body }) => body !== null)
    .map((row) => ({ ...row, body: JSON.stringify(row.body) }));
  const gone = rows.filter(({ body }) => body === null);
  if (put.length > 0) {
    await tx`
      insert into sandbox.record (kind, id, body)
      select kind, id, body::json from json_to_recordset(${JSON.stringify(put)}::text::json)
        as noted(kind text, id text, body text)
      on conflict (kind, id) do update set body = excluded.body`;
  }
  if (gone.length > 0) {
    await tx`
      delete from sandbox.record using json_to_recordset(${JSON.stringify(gone)}::text::json)
        as noted(kind text, id text)
      where record.kind = noted.kind and record.id = noted.id`;
  }
}
