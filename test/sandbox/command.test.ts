import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv, promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/lib/arguments.ts";
import {
  parseSandboxArgs,
  runSandboxCommand,
  toSandboxOptions,
  type CommandContext,
} from "../../src/sandbox/command.ts";
import { until } from "../support/until.ts";
import { createTestDb } from "../support/postgres.ts";
import { closers, start } from "./start.ts";

/** Stops the command once it has answered a search, or written what is waited for. */
async function run(
  args: string[],
  env: Record<string, string> = {},
  {
    awaited = /STOREFRONT_BASE_URL=/,
    ...context
  }: Partial<CommandContext> & { awaited?: RegExp } = {},
) {
  const stop = new AbortController();
  let output = "";
  let during: Promise<Response> | undefined;
  const stdout = {
    write(text: string) {
      output += text;
      const url = /STOREFRONT_BASE_URL=(\S+)/.exec(output)?.[1];
      if (url === undefined) return;
      during ??= fetch(`${url}/1/search?client_id=me&client_secret=secret&q=a`);
      if (awaited.test(output)) void during.finally(() => stop.abort());
    },
  };
  await runSandboxCommand(args, env, { signal: stop.signal, stdout, ...context });
  return { output, answer: await during };
}

describe("kurabe sandbox", () => {
  it("serves until it is stopped and prints the settings to crawl it with", async () => {
    const env = { STOREFRONT_CLIENT_ID: "me", STOREFRONT_CLIENT_SECRET: "secret" };
    const { output, answer } = await run(["--port", "0", "--products", "30"], env);
    expect(answer?.status).toBe(200);
    expect(output).toContain("30 products");
    expect(output).toContain(
      "STOREFRONT_CLIENT_ID=me\nSTOREFRONT_CLIENT_SECRET=secret\nCRAWL_KEYWORDS='",
    );
  });

  it("prints keywords that an .env file and a shell read alike, also of a shop with an apostrophe", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sandbox-"));
    closers.push(() => rm(folder, { recursive: true }));
    const source = await start({ products: 1 });
    const catalog = join(folder, "catalog.jsonl");
    const product = { ...source.control.items()[0], shop_name: "Anna's Kitchen" };
    await writeFile(catalog, JSON.stringify(product));
    const { output } = await run(["--port", "0", "--catalog", catalog]);
    const [line = ""] = /^CRAWL_KEYWORDS=.*$/m.exec(output) ?? [];
    const { stdout: shell } = await promisify(execFile)("sh", [
      "-c",
      `${line}; printf %s "$CRAWL_KEYWORDS"`,
    ]);
    expect(shell).toMatch(/,Anna's Kitchen$/);
    expect(parseEnv(line)).toEqual({ CRAWL_KEYWORDS: shell });
  });

  it("prints who may sign in, and as which application", async () => {
    const { output } = await run(["--products", "30"]);
    expect(output).toContain("sign in as demo-1, demo-2 or any shop's id; password sandbox-owner");
    expect(output).toContain("client id sandbox-app-client, secret sandbox-app-secret");
  });

  it("plays a scenario at its speed and goes on serving", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sandbox-"));
    closers.push(() => rm(folder, { recursive: true }));
    const file = join(folder, "days.jsonl");
    const products = [{ title: "品", price: 100, stock: 1 }];
    const open = { day: 1, time: "09:00", owner: "demo-1", do: "open", products };
    const close = { day: 2, time: "00:00", owner: "demo-1", do: "close" };
    await writeFile(file, [open, close].map((row) => JSON.stringify(row)).join("\n"));
    const args = ["--products", "30", "--scenario", file, "--speed", "864000"];
    const { output } = await run(args, {}, { awaited: /scenario has ended/ });
    expect(output).toContain("day 1 09:00  demo-1  open: 1 products\n");
    expect(output).toContain("The scenario has ended: 2 events done, 0 failed.\n");
  });

  it("keeps its state in the database it is given or can open, unless told otherwise", async () => {
    const test = await createTestDb();
    closers.push(test.close);
    const isKept = async () => {
      const [row] = await test.db.execute<{ found: string | null }>(
        "select to_regclass('sandbox.record')::text as found",
      );
      return row?.found !== null;
    };
    let closed = 0;
    const openDatabase = async () => ({
      url: test.url,
      close: async () => {
        closed += 1;
      },
    });
    await run(["--products", "30", "--in-memory"], {}, { openDatabase });
    expect([await isKept(), closed]).toEqual([false, 0]);
    await run(["--products", "30"], {}, { openDatabase });
    expect([await isKept(), closed]).toEqual([true, 1]);
    const inner = { answer: "" };
    const stdout = {
      write(text: string) {
        inner.answer += text;
      },
    };
    const stop = new AbortController();
    const first = runSandboxCommand(
      ["--products", "30"],
      { DATABASE_URL: test.url },
      { signal: stop.signal, stdout },
    );
    await until(() => inner.answer.includes("BASE_URL"), { what: "the first sandbox" });
    const second = await run(["--products", "30"], { DATABASE_URL: test.url });
    expect(second.output).toMatch(/another sandbox \(http:\S+\) keeps its state in this database/);
    stop.abort();
    await first;
  });

  it("reads the environment as Kurabe does: blanks around a value do not count, and blank ones are unset", () => {
    const optionsOf = (env: Record<string, string>) => {
      const { clock: _, ...options } = toSandboxOptions(parseSandboxArgs([]), env);
      return options;
    };
    const names = ["PORT", "STOREFRONT_TIMEZONE", "STOREFRONT_DAILY_LIMIT", "STOREFRONT_CLIENT_ID"];
    for (const blank of ["", " "]) {
      expect(optionsOf(Object.fromEntries(names.map((name) => [name, blank])))).toEqual({});
    }
    const env = { PORT: "80 ", STOREFRONT_TIMEZONE: " Asia/Tokyo", STOREFRONT_CLIENT_ID: " me " };
    expect(optionsOf(env)).toEqual({ port: 80, timezone: "Asia/Tokyo", clientId: "me" });
  });

  it("prints its help and starts nothing", async () => {
    expect((await run(["--help"])).output).toContain("Usage: kurabe sandbox");
  });

  it.each([
    [["--port", "70000"], {}],
    [["--port", "http"], {}],
    [["--speed", "0"], {}],
    [["--products", "-1"], {}],
    [["--nonsense"], {}],
    [["surplus"], {}],
    [["--host", "0.0.0.0"], {}],
    [["--tls-key", "key.pem"], {}],
    [[], { PORT: "x" }],
    [[], { STOREFRONT_TIMEZONE: "Mars/Olympus" }],
    [[], { STOREFRONT_DAILY_LIMIT: "many" }],
  ])("refuses %j with %j as wrong usage", async (args: string[], env: Record<string, string>) => {
    await expect(run(args, env)).rejects.toThrow(UsageError);
  });
});
