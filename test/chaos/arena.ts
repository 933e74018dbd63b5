import postgres from "postgres";

/** Where a control plays: servers like those of the rounds, and a Postgres schema `naive` of its own. */
export interface Arena {
  databaseUrl: string;
  engine: { host: string; apiKey: string };
}

/** A defence left out: the naive way must fail, or the rounds prove nothing. */
export interface Control {
  /** What is done instead of the defence. */
  name: string;
  /** Says what went wrong; null when the naive way got through. */
  fails(arena: Arena): Promise<string | null>;
}

/** A client with `max` connections on a fresh schema `naive`. */
export async function withNaive<T>(
  arena: Arena,
  max: number,
  work: (sql: postgres.Sql) => Promise<T>,
): Promise<T> {
  const sql = postgres(arena.databaseUrl, {
    max,
    fetch_types: false,
    onnotice: () => {},
    connection: { search_path: "naive" },
  });
  try {
    await sql`drop schema if exists naive cascade`;
    await sql`create schema naive`;
    return await work(sql);
  } finally {
    await sql`drop schema if exists naive cascade`;
    await sql.end({ timeout: 5 });
  }
}
