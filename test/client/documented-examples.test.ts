import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { opsToken } from "../support/api.ts";
import { createKey } from "../support/keys.ts";
import { openConsumerProject } from "../support/consumer-project.ts";
import { storeGenerated } from "../support/generated.ts";
import { openedForAll } from "../support/opened.ts";
import { apiForAll } from "../support/opened-api.ts";
import { itLong } from "../support/it-long.ts";

const root = new URL("../../", import.meta.url);
/** Where a fresh `npm start` listens. */
const documentedUrl = "http://127.0.0.1:3000";

const { test, api } = apiForAll();
let apiKey: string;
const served = openedForAll(async () => {
  await storeGenerated(test.db, "2026-01-01T00:00:00Z", 50);
  ({ key: apiKey } = await createKey(api, {}));
  return api.listen();
});

const inInfra = (await readdir(new URL("infra", root))).filter((name) => name.endsWith(".md"));
const pages = ["README.md", "CONTRIBUTING.md", ...inInfra.map((name) => `infra/${name}`)];

/** The blocks of code in these languages, of every page, with the name of the page. */
async function blocksOf(...languages: string[]): Promise<{ page: string; code: string }[]> {
  const found = pages.map(async (page) => {
    const text = await readFile(new URL(page, root), "utf8");
    return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, language = "", code = ""]) =>
      languages.includes(language)
        ? [{ page, code: code.replaceAll(documentedUrl, served.url) }]
        : [],
    );
  });
  return (await Promise.all(found)).flat();
}

/** What a `curl` command sends. */
function toRequest(command: string): { address: string; init: RequestInit } {
  const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? "",
  );
  const headers = new Headers();
  const fields = new URLSearchParams();
  let [address, method, body, isQuery] = ["", "", "", false];
  for (let i = 1; i < words.length; i += 1) {
    const word = words[i] ?? "";
    if (/^https?:/.test(word)) address = word;
    else if (word === "-G" || word === "--get") isQuery = true;
    else if (/^-[sSiLfN]+$/.test(word)) continue;
    else {
      const value = words[(i += 1)] ?? "";
      const [name = "", ...rest] = value.split(/[=:]/);
      const told = value
        .slice(name.length + 1)
        .trim()
        .replace("$OPS_TOKEN", opsToken)
        .replace("$API_KEY", apiKey);
      if (word === "-H" || word === "--header") headers.set(name, told);
      else if (word === "--data-urlencode") fields.append(name, rest.join("="));
      else if (word === "-X" || word === "--request") method = value;
      else if (word === "-d" || word === "--data" || word === "--json") body = value;
      else throw new Error(`${word} of \`${command}\` is not known here`);
      if (word === "--json") headers.set("Content-Type", "application/json");
    }
  }
  const query = fields.size > 0 && isQuery ? `?${fields.toString()}` : "";
  const sent = body === "" ? {} : { body };
  return {
    address: address + query,
    init: { method: method || (body === "" ? "GET" : "POST"), headers, ...sent },
  };
}

it("every curl command of the pages is answered", async () => {
  const commands = (await blocksOf("sh", "bash")).flatMap(({ page, code }) => {
    const lines = code.replaceAll(/\\\n\s*/g, "").split("\n");
    return lines.flatMap((line) => (line.startsWith("curl ") ? [{ page, line }] : []));
  });
  expect(commands.length).toBeGreaterThan(0);
  for (const { page, line } of commands) {
    const { address, init } = toRequest(line);
    const { ok, status } = await fetch(address, init);
    expect([page, line, status, ok]).toEqual([page, line, status, true]);
  }
});

it("every address of the pages is answered", async () => {
  for (const page of pages) {
    const text = await readFile(new URL(page, root), "utf8");
    for (const [address] of text.matchAll(/http:\/\/127\.0\.0\.1:3000[\w/.?=&-]*/g)) {
      const { status } = await fetch(address.replace(documentedUrl, served.url), {
        headers: { Accept: "text/html" },
      });
      // The console asks for its token first, and alerts belong to an API key.
      const expected = /\/(ops|v1\/saved-searches|v1\/webhooks|v1\/events\?.*)$/.test(address)
        ? 401
        : 200;
      expect([page, address, status]).toEqual([page, address, expected]);
    }
  }
});

itLong("every example of the client compiles and runs", async () => {
  const project = await openConsumerProject();
  try {
    const modules = (await blocksOf("ts")).filter(({ code }) => code.includes("kurabe/client"));
    expect(modules.length).toBeGreaterThan(0);
    for (const { page, code } of modules) {
      const said = await project.run(code);
      expect([page, said]).not.toEqual([page, ""]);
    }
  } finally {
    await project.close();
  }
});
