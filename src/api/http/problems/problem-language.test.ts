import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { absentDb, createTestApi } from "../../../../test/support/api.ts";
import { parameterFaultsJa, problemDetailsJa, toJapanese } from "./problem-language.ts";

const literal = String.raw`"(?:[^"\\\n]|\\.)*"|\`(?:[^\`\\]|\\.)*\``;
const details = new RegExp(String.raw`\bdetail(?: =|:)\s*(?:n === 1 \? [^:]*: )?(${literal})`, "g");
const faults = new RegExp(String.raw`["\`](?=(?:must|may|is|has|cannot|page ×) )`, "g");
/** Not texts of problems: settings of a process, Meilisearch's own format, examples. */
const others =
  /operators\.ts|openapi|instantsearch|alerts\/delivery\/addresses\.ts|\.test\.ts|config\.ts|problem-language\.ts/;

/** The texts of problems in the sources, with 7 in place of what is known only later. */
async function textsOfSources(): Promise<string[]> {
  const texts = new Set<string>();
  for (const room of ["src/api", "src/alerts/delivery"]) {
    for (const name of await readdir(room, { recursive: true })) {
      const path = `${room}/${name}`;
      if (!path.endsWith(".ts") || others.test(path)) continue;
      const source = await readFile(path, "utf8");
      const found = [...source.matchAll(details)].map(([, text = ""]) => text);
      const own = [...source.matchAll(faults)].flatMap(({ index }) => {
        const match = new RegExp(`^(?:${literal})`).exec(source.slice(index));
        return match ? [match[0]] : [];
      });
      for (const text of [...found, ...own]) {
        texts.add(
          text
            .slice(1, -1)
            .replaceAll(/\$\{[^}]*\}/g, "7")
            .replaceAll("\\`", "`"),
        );
      }
    }
  }
  return [...texts];
}

describe("problems in Japanese", () => {
  it("are all in the table: each text of the sources has its translation", async () => {
    const texts = await textsOfSources();
    expect(texts.length).toBeGreaterThan(100);
    expect(texts.filter((text) => toJapanese(text) === null)).toEqual([]);
  });

  it("keep every name of the English text", () => {
    const names = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();
    for (const [en, ja] of Object.entries({ ...problemDetailsJa, ...parameterFaultsJa })) {
      const lost = names(en).filter((name) => !names(ja).includes(name));
      const dispensable = ["{what}", "{type}"];
      expect([en, lost.filter((name) => !dispensable.includes(name))]).toEqual([en, []]);
      expect(names(ja).filter((name) => !names(en).includes(name))).toEqual([]);
    }
  });

  it("take the closest text, and translate what it contains", () => {
    expect(toJapanese("must be a whole number from 1 to 9, or null")).toBe(
      "1から9までの整数か null にしてください",
    );
    expect(toJapanese("this API key is limited to 5 requests a minute and 9 requests a day")).toBe(
      "このAPIキーの上限は1分に5回、1日に9回です",
    );
    expect(
      toJapanese(
        '"60" cannot be used as minute (0 to 59); "x" cannot be used as hour (0 to 23); "9" cannot be used as month (1 to 12, or jan to dec)',
      ),
    ).toBe("分に「60」は使えません。時に「x」は使えません。月に「9」は使えません。");
    expect(toJapanese("something unheard of")).toBeNull();
  });
});

describe("the language of a problem", () => {
  const api = createTestApi(absentDb());
  const ask = async (language: string | null, path = "/v1/products?per_page=0&stock=1") => {
    const answer = await api.get(path, language === null ? {} : { "Accept-Language": language });
    const body = (await answer.json()) as {
      type: string;
      code: string;
      title: string;
      detail: string;
      errors: { parameter: string; message: string }[];
    };
    return { answer, body };
  };

  it.each([
    [null, "en"],
    ["", "en"],
    ["*", "en"],
    ["fr", "en"],
    ["en, ja;q=0.5", "en"],
    ["ja;q=0", "en"],
    ["ja", "ja"],
    ["ja-JP,ja;q=0.9,en;q=0.8", "ja"],
    ["en;q=0.3, JA", "ja"],
    ["fr, ja;q=0.1", "ja"],
  ])("for Accept-Language %j is %s", async (header, language) => {
    const { answer, body } = await ask(header);
    expect(answer.headers.get("Content-Language")).toBe(language);
    expect(answer.headers.get("Vary")).toContain("Accept-Language");
    expect(/\p{Script=Hiragana}/u.test(body.detail)).toBe(language === "ja");
  });

  it("changes what people read, and nothing that programs read", async () => {
    const [en, ja] = [(await ask("en")).body, (await ask("ja")).body];
    expect(ja).toMatchObject({ type: en.type, code: en.code });
    expect(ja.title).toBe("リクエストが正しくありません");
    expect(ja.errors.map(({ parameter }) => parameter)).toEqual(
      en.errors.map(({ parameter }) => parameter),
    );
    expect(ja.errors).toContainEqual({
      parameter: "per_page",
      message: expect.stringMatching(/^1から\d+までの整数にしてください$/),
    });
  });

  it("is chosen for ops too", async () => {
    const { body } = await ask("ja", "/ops/v1/budget");
    expect(body.detail).toContain("運用トークン");
  });
});
