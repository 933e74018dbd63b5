import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Db } from "../db/open.ts";
import { keepSecret } from "./kept-secret.ts";

const analystRole = "kurabe_analyst";

/**
 * Lets the analysts' role log in with a password stored in `dataDir` (mode 0600). Returns its
 * connection string; null if the role does not exist. For the embedded database only: elsewhere an
 * administrator decides who may log in.
 */
export async function ensureAnalyst(
  db: Db,
  dataDir: string,
  databaseUrl: string,
): Promise<string | null> {
  const [role] = await db.execute(sql`select from pg_roles where rolname = ${analystRole}`);
  if (!role) return null;
  const password = await keepSecret(join(dataDir, "analyst-password"), () =>
    randomBytes(24).toString("hex"),
  );
  const [{ literal } = { literal: "" }] = await db.execute<{ literal: string }>(
    sql`select quote_literal(${password}::text) as literal`,
  );
  await db.execute(sql.raw(`alter role ${analystRole} login password ${literal}`));
  // By default everyone who may connect may create temporary tables, which is a kind of writing.
  const name = new URL(databaseUrl).pathname.slice(1);
  await db.execute(sql`revoke temporary on database ${sql.identifier(name)} from public`);
  return Object.assign(new URL(databaseUrl), { username: analystRole, password }).href;
}
