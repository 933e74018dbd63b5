/** `migrate.ts DATABASE_URL`: a process that brings the database to this build's schema. */
import { migrateDb } from "../../src/db/migrate.ts";
import { must } from "../../src/lib/must.ts";

await migrateDb(must(process.argv[2], "a database"));
