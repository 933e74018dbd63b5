import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import type { Engine } from "../../src/search/engine/engine.ts";
import { createTestMirror, drain, fillProducts, setPrice, step } from "../support/mirror.ts";
import { openedForEach } from "../support/opened.ts";
import { until } from "../support/until.ts";

const test = openedForEach(createTestMirror);

const shapes = ["null", '"x"', "[{}]", "[5]", '[["x", 1]]', "[[1]]", '{"rows": 1}', "5"];

it("a write whose stored rows somebody wrote by hand in another shape holds no other up, and its products are sent again", async () => {
  let isStuck = false;
  const engine: Engine = {
    ...test.engine,
    async readTasks(uids) {
      const tasks = await test.engine.readTasks(uids);
      return isStuck ? tasks.map((task) => ({ ...task, status: "enqueued" as const })) : tasks;
    },
  };
  const mirror = test.start({ engine });
  await fillProducts(test.db, 1, 5);
  await drain(test.db, mirror, test.indexPrefix);
  isStuck = true;
  await setPrice(test.db, 1, 77);
  const open = sql`select from mirror_batch where state in ('building', 'sent')`;
  const isSent = async () => {
    await step(mirror);
    return (await test.db.execute(open)).length > 0;
  };
  await until(isSent, { what: "an open write" });
  for (const rows of shapes)
    await test.db.execute(sql`update mirror_batch set rows = ${rows}::text::jsonb`);
  await setPrice(test.db, 2, 78);
  isStuck = false;
  await drain(test.db, mirror, test.indexPrefix);
  const documents = await test.documents();
  expect([documents.get(1), documents.get(2)]).toMatchObject([{ price: 77 }, { price: 78 }]);
});
