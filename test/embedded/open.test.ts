import {
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findProcess } from "../../src/embedded/process-table.ts";
import type { Embedded } from "../../src/embedded/open.ts";
import { must } from "../../src/lib/must.ts";
import { createDataDir, type DataDir } from "../support/data-dir.ts";
import { askMeilisearch } from "../support/json-request.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

async function query<T extends object>(embedded: Embedded, text: string): Promise<T[]> {
  const client = postgres(must(embedded.databaseUrl, "a database"), { max: 1, fetch_types: false });
  try {
    return [...(await client.unsafe<T[]>(text))];
  } finally {
    await client.end();
  }
}

const ask = ({ meili }: Embedded, method: string, path: string, body?: object) =>
  askMeilisearch(must(meili, "a search engine"), method, path, body);

const pidsOf = (list: { pid: number }[]) => list.map(({ pid }) => pid);

describe("the embedded servers", () => {
  let folder: DataDir;
  beforeEach(async () => {
    folder = await createDataDir();
  });
  afterEach(() => folder.remove());

  it("start only what is asked for", async () => {
    const none = await folder.open({ postgres: false, meilisearch: false });
    expect(none).toMatchObject({ databaseUrl: null, meili: null });
    await none.close();
    const search = await folder.open({ postgres: false });
    expect(search.databaseUrl).toBeNull();
    expect(folder.postmasters()).toEqual([]);
    await search.close();
  });

  it("refuse a database of another major version and say what to do", async () => {
    await mkdir(join(folder.path, "postgres/data"), { recursive: true });
    await writeFile(join(folder.path, "postgres/data/PG_VERSION"), "17\n");
    await expect(folder.open({ meilisearch: false })).rejects.toThrow(/Postgres 17.*DATA_DIR/);
  });

  itLong("leave alone what another user runs there", async () => {
    let foreign = "/";
    if (process.getuid?.() === 0) {
      foreign = await mkdtemp(join(folder.path, "..", "foreign-"));
      await chown(foreign, 65_534, 65_534);
    }
    await mkdir(folder.path);
    await symlink(foreign, join(folder.path, "meilisearch"));
    const before = await readdir(foreign);
    await expect(folder.open()).rejects.toThrow(/belongs to another user \(uid \d+\).*DATA_DIR/);
    expect(await readdir(foreign)).toEqual(before);
    expect([...folder.postmasters(), ...folder.engines()]).toEqual([]);
  });

  it("say why Postgres does not start, with its last words", async () => {
    const opening = folder.open({ meilisearch: false, postgresSettings: { work_mem: "many" } });
    await expect(opening).rejects.toThrow(/does not start.*DATABASE_URL[^]*work_mem/);
    expect(folder.postmasters()).toEqual([]);
  });

  it("M17: move the index of another engine version aside and begin an empty one", async () => {
    const first = await folder.open({ postgres: false });
    await ask(first, "POST", "/indexes", { uid: "old" });
    await until(async () => (await ask(first, "GET", "/indexes/old")).ok, { what: "the index" });
    await first.close();
    await writeFile(join(folder.path, "meilisearch/db/VERSION"), "1.20.0");
    const second = await folder.open({ postgres: false });
    expect((await ask(second, "GET", "/indexes/old")).status).toBe(404);
    expect(await readdir(join(folder.path, "meilisearch"))).toContain("db-1.20.0");
    await second.close();
  });

  it("begin an empty index when the engine cannot start with its files", async () => {
    const first = await folder.open({ postgres: false });
    await first.close();
    await writeFile(join(folder.path, "meilisearch/db/tasks/data.mdb"), "not a database");
    const second = await folder.open({ postgres: false });
    expect((await ask(second, "GET", "/version")).status).toBe(200);
    expect(await readdir(join(folder.path, "meilisearch"))).toContain("db-broken");
    await second.close();
  });
});

describe("the embedded servers, while they run and afterwards", () => {
  let folder: DataDir;
  let embedded: Embedded;
  let first: Embedded;
  beforeAll(async () => {
    folder = await createDataDir();
    [first, embedded] = await Promise.all([folder.open(), folder.open()]);
  });
  afterAll(async () => {
    await embedded.close();
    await folder.remove();
  });

  it("serve several users of one folder; the first to close does not stop them under the second", async () => {
    expect(embedded.databaseUrl).toBe(first.databaseUrl);
    expect(embedded.meili).toEqual(first.meili);
    expect(folder.postmasters()).toHaveLength(1);
    expect(folder.engines()).toHaveLength(1);
    await first.close();
    expect(await query(embedded, "select 1 as n")).toEqual([{ n: 1 }]);
    expect((await ask(embedded, "GET", "/version")).status).toBe(200);
  });

  it("sort and compare text by code point, whatever the locale of the machine", async () => {
    const [row] = await query<{ encoding: string; locale: string }>(
      embedded,
      `select pg_encoding_to_char(encoding) as encoding, datlocale as locale
       from pg_database where datname = current_database()`,
    );
    expect(row).toEqual({ encoding: "UTF8", locale: "C.UTF-8" });
  });

  it("S5: keep secrets in files only their owner reads and out of every command line", async () => {
    const secrets = ["postgres/password", "meilisearch/key"];
    for (const name of secrets) {
      const file = join(folder.path, name);
      expect((await stat(file)).mode & 0o777, name).toBe(0o600);
      const secret = await readFile(file, "utf8");
      expect(secret.length).toBeGreaterThanOrEqual(32);
      for (const { command } of [...folder.postmasters(), ...folder.engines()]) {
        expect(command).not.toContain(secret);
      }
    }
  });

  it("listen on the loopback address only and never run Postgres as root", async () => {
    const [row] = await query<{ addresses: string; sockets: string }>(
      embedded,
      `select current_setting('listen_addresses') as addresses,
              current_setting('unix_socket_directories') as sockets`,
    );
    expect(row).toEqual({ addresses: "127.0.0.1", sockets: "" });
    const { pid } = must(folder.postmasters()[0], "a postmaster");
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    const uid = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]);
    expect(uid).not.toBe(0);
  });

  it("leave no process behind when closed, keep their data, and answer at the same addresses", async () => {
    const before = embedded;
    await query(before, "create table kept (n int)");
    expect((await ask(before, "POST", "/indexes", { uid: "kept" })).status).toBe(202);
    await until(async () => (await ask(before, "GET", "/indexes/kept")).ok, { what: "the index" });
    const pids = pidsOf([...folder.postmasters(), ...folder.engines()]);
    expect(pids).toHaveLength(2);
    await before.close();
    expect(pids.filter((pid) => findProcess(pid))).toEqual([]);
    expect(await readdir(join(folder.path, "run"))).toEqual([]);

    embedded = await folder.open();
    expect(embedded.databaseUrl).toBe(before.databaseUrl);
    expect(embedded.meili).toEqual(before.meili);
    expect(await query(embedded, "select * from kept")).toEqual([]);
    expect((await ask(embedded, "GET", "/indexes/kept")).status).toBe(200);
  });
});
