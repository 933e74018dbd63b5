import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readLabelledSet, readRows } from "./read-set.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kurabe-set-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function write(name: string, content: string | Buffer): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
}

describe("a labelled set", () => {
  it("is read from JSON, CSV and gzipped tab-separated values alike, without labels of other products", async () => {
    const set = await readLabelledSet({
      products: await write("products.csv", 'id,title\n7,"a ""big"" cup, red"\n8,plate\n'),
      queries: await write("queries.json", '[{"query_id":1,"query":"red cup"}]'),
      labels: await write(
        "labels.tsv.gz",
        gzipSync("query_id\titem_id\tgrade\n1\t7\t1\n1\t7\t3\n1\t8\t0\n1\t9\t3"),
      ),
    });
    expect(set).toEqual({
      products: [
        { itemId: "7", title: 'a "big" cup, red' },
        { itemId: "8", title: "plate" },
      ],
      queries: [{ queryId: "1", query: "red cup", kind: "2 words" }],
      grades: new Map([
        [
          "1",
          new Map([
            ["7", 3],
            ["8", 0],
          ]),
        ],
      ]),
    });
  });

  it("names the file and the row that cannot be read", async () => {
    const products = await write("broken.jsonl", '{"item_id":1,"title":"a"}\n{"item_id":2}\n');
    await expect(
      readLabelledSet({ products, queries: products, labels: products }),
    ).rejects.toThrow(`${products}, row 2: {"item_id":2}`);
  });
});

describe("separated values", () => {
  it("may have line ends of two characters, line ends in quotes, and inches without quotes", () => {
    expect(readRows('id,title\r\n1,"a\nb"\r\n2,3/4" elbow\r\n\r\n3,"4" pipe"\r\n')).toEqual([
      { id: "1", title: "a\nb" },
      { id: "2", title: '3/4" elbow' },
      { id: "3", title: '"4" pipe"' },
    ]);
  });
});
