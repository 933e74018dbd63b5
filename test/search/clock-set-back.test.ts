import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { drain, fillProducts, createTestMirror, setPrice } from "../support/mirror.ts";
import { openedForEach } from "../support/opened.ts";

const test = openedForEach(createTestMirror);

it("what changed while the database's clock was an hour ahead is sent as soon as the clock is right", async () => {
  const mirror = test.start();
  await fillProducts(test.db, 1, 3);
  await drain(test.db, mirror, test.indexPrefix);
  await setPrice(test.db, 1, 77);
  await test.db.execute(sql`
    update mirror set next_at = next_at + interval '1 h', dirty_since = dirty_since + interval '1 h'
    where desired_version > indexed_version`);
  await drain(test.db, mirror, test.indexPrefix);
  expect((await test.documents()).get(1)).toMatchObject({ price: 77 });
});
