import postgres from "postgres";
import { migrateDb } from "../../../src/db/migrate.ts";
import { openPool, type TestDb } from "../../support/postgres.ts";

/** Migrated databases on one server, each a clone of the first. */
export async function openDatabases(serverUrl: string): Promise<() => Promise<TestDb>> {
  const template = "lasting_template";
  const urlOf = (name: string) => {
    const url = new URL(serverUrl);
    url.pathname = name;
    return url.href;
  };
  const asOwner = async (work: (client: postgres.Sql) => PromiseLike<unknown>) => {
    const client = postgres(serverUrl, { max: 1, fetch_types: false, onnotice: () => {} });
    try {
      await work(client);
    } finally {
      await client.end({ timeout: 5 });
    }
  };
  let made = 0;
  await asOwner((client) => client`create database ${client(template)}`);
  await migrateDb(urlOf(template));
  return async () => {
    made += 1;
    const name = `lasting_${made}`;
    await asOwner((client) => client`create database ${client(name)} template ${client(template)}`);
    const { db, close } = openPool(urlOf(name), {
      applicationName: "kurabe:lasting",
      maxConnections: 8,
    });
    return {
      url: urlOf(name),
      db,
      async close() {
        await close();
        await asOwner((client) => client`drop database ${client(name)} with (force)`);
      },
    };
  };
}
