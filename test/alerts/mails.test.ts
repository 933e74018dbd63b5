import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { chooseDigest, nextDigestAt } from "../../src/alerts/mail/address.ts";
import { reserveMails, sendConfirmation } from "../../src/alerts/mail/queue.ts";
import { ownerOfLink } from "../../src/alerts/owners.ts";
import { must } from "../../src/lib/must.ts";
import { storeItems } from "../support/catalog.ts";
import { searchItem } from "../support/products.ts";
import { mailsForAll, timezone } from "../support/mails.ts";
import { startSmtpReceiver } from "../support/smtp-receiver.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const { test, world, addOwner, addEvent, waiting } = mailsForAll();

/** The secret of the link in a mail. */
const secretIn = (text: string, path = "") =>
  new RegExp(String.raw`https://kurabe\.example/alerts/${path}([\w-]{32})\s`).exec(text)?.[1] ?? "";

it("a confirmed address gets one mail a period with all new events, the quiet ones too", async () => {
  const receiver = await startSmtpReceiver();
  const { now, pass, queue, send } = await world(receiver.url);
  const { ownerId, email } = await addOwner(now());
  await addEvent(ownerId, "革の鞄");
  await addEvent(ownerId, "静かな財布", true);
  await queue();
  expect(await waiting()).toBe(0);
  pass(dayMs);
  await queue();
  await queue();
  await send();
  await send();
  expect(receiver.received).toHaveLength(1);
  const mail = must(receiver.received[0], "the digest");
  expect(mail.to).toBe(email);
  for (const part of [mail.text, mail.html]) {
    expect(part).toContain("革の鞄 ￥1,000 → ￥900");
    expect(part).toContain("静かな財布");
  }
  const unsubscribe = secretIn(mail.text, "unsubscribe/");
  expect(mail.headers).toMatchObject({
    "list-unsubscribe": `<https://kurabe.example/alerts/unsubscribe/${unsubscribe}>`,
    "list-unsubscribe-post": "List-Unsubscribe=One-Click",
    "auto-submitted": "auto-generated",
  });
  expect(await ownerOfLink(test.db, unsubscribe, "unsubscribe", now())).toBe(ownerId);
  expect(await ownerOfLink(test.db, secretIn(mail.text), "manage", now())).toBe(ownerId);
  // A period without events has no mail, and the next one has only what is new.
  pass(dayMs);
  await queue();
  await send();
  expect(receiver.received).toHaveLength(1);
  await addEvent(ownerId, "新しい靴");
  pass(dayMs);
  await queue();
  await send();
  expect(receiver.received).toHaveLength(2);
  expect(receiver.received[1]?.text).toContain("新しい靴");
  expect(receiver.received[1]?.text).not.toContain("革の鞄");
});

it("events that somebody wrote by hand in another shape leave a digest its others", async () => {
  const receiver = await startSmtpReceiver();
  const { now, pass, queue, send } = await world(receiver.url);
  const { ownerId } = await addOwner(now());
  await addEvent(ownerId, "革の鞄");
  for (const data of ["null", "5", '{"prev_price": "x"}', '{"title": 5, "prev_price": [1]}']) {
    await addEvent(ownerId, data);
    await test.db.execute(sql`
      update alert_event set data = ${data}::text::jsonb
      where owner_id = ${ownerId} and data ->> 'title' = ${data}`);
  }
  pass(dayMs);
  await queue();
  await send();
  expect(receiver.received[0]?.text).toContain("革の鞄 ￥1,000 → ￥900");
});

it("what happened before digests were chosen is not told", async () => {
  const receiver = await startSmtpReceiver();
  const { now, pass, queue, send } = await world(receiver.url);
  const { ownerId } = await addOwner(now());
  const choose = (choice: "none" | "weekly") =>
    test.db.transaction((tx) => chooseDigest(tx, { ownerId, choice }, { now: now(), timezone }));
  await choose("none");
  await addEvent(ownerId, "古い鞄");
  pass(dayMs);
  await queue();
  await choose("weekly");
  await addEvent(ownerId, "新しい鞄");
  pass(nextDigestAt("weekly", now(), timezone).getTime() - now().getTime());
  await queue();
  await send();
  expect(receiver.received.map(({ text }) => /(?:新しい|古い)鞄/.exec(text)?.[0])).toEqual([
    "新しい鞄",
  ]);
});

it("a mail tells of a product once what happened often, and nothing that is over", async () => {
  const receiver = await startSmtpReceiver();
  const { now, pass, queue, send } = await world(receiver.url);
  const { ownerId } = await addOwner(now());
  const at = now().toISOString();
  await storeItems(test.db, at, [
    searchItem(900071, { title: "在庫あり", stock: 2 }),
    searchItem(900072, { title: "また品切れ", stock: 0 }),
    searchItem(900073, { title: "値下げ中", price: 950 }),
    searchItem(900074, { title: "値上がりした", price: 1100 }),
    searchItem(900075, { title: "なくなった" }),
    searchItem(900076, { title: "価格がない", price: 0, properPrice: null }),
    searchItem(900077, { title: "価格が戻った", price: 950 }),
    searchItem(900078, { title: "最安値でない", price: 1200 }),
  ]);
  await test.db.execute(sql`
    update product set state = 'gone', deleted_at = checked_at, deleted_call_id = 1 where item_id = 900075`);
  await test.db.execute(sql`
    insert into alert_event (owner_id, saved_search_id, item_id, kind, ver, data, is_quiet, changed_at)
    select ${ownerId}, ${ownerId}, p.item_id, kind, n,
      jsonb_build_object('title', p.title, 'price', 900, 'target', 1000, 'low', 1000, 'prev_price',
        case p.item_id when 900077 then 0 when 900078 then 1500 else 1000 end), false, now()
    from generate_series(1, 30) n, product p
      join (values (900071, 'back_in_stock'), (900072, 'back_in_stock'), (900073, 'price_below'), (900073, 'price_drop'), (900074, 'price_below'),
        (900074, 'new_low'), (900076, 'price_below'), (900076, 'new_low'), (900076, 'price_drop'), (900077, 'new_low'), (900078, 'new_low'), (900075, 'price_drop'), (900075, 'gone')) e(item_id, kind) on e.item_id = p.item_id`);
  pass(dayMs);
  await queue();
  await send();
  const mail = must(receiver.received[0], "the digest");
  expect(
    [...mail.text.matchAll(/^- (\S+?)：(\S+)/gm)].map(([, kind, title]) => [kind, title]),
  ).toEqual(
    expect.arrayContaining([
      ["再入荷", "在庫あり"],
      ["希望価格以下", "値下げ中"],
      ["値下がり", "値下げ中"],
      ["最安値を更新", "価格が戻った"],
      ["販売終了", "なくなった"],
    ]),
  );
  expect(mail.text.match(/^- /gm)).toHaveLength(5);
  expect(mail.text).not.toContain("ほか");
});

it("a mail of very many events stays under 80 kB", async () => {
  const receiver = await startSmtpReceiver();
  const { now, pass, queue, send } = await world(receiver.url);
  const { ownerId } = await addOwner(now());
  await test.db.execute(sql`
    insert into alert_event (owner_id, saved_search_id, item_id, kind, ver, data, is_quiet, changed_at)
    select ${ownerId}, 900000 + n % 50, n, 'price_drop', n,
      jsonb_build_object('title', repeat('<鞄>', 200), 'price', n), false, now()
    from generate_series(1, 3000) n`);
  pass(dayMs);
  await queue();
  await send();
  const mail = must(receiver.received[0], "the digest");
  const listed = mail.text.match(/^- /gm)?.length ?? 0;
  expect(listed).toBeGreaterThan(10);
  expect(mail.text).toContain(`ほか ${3000 - listed} 件`);
  expect(mail.raw.length).toBeLessThan(80_000);
  expect(mail.raw.length).toBeGreaterThan(60_000);
});

it("asking twice for a confirmation sends one, and none to a confirmed address", async () => {
  const receiver = await startSmtpReceiver();
  const { now, pass, send } = await world(receiver.url);
  const { ownerId, email } = await addOwner(now(), false);
  const ask = () => test.db.transaction((tx) => sendConfirmation(tx, ownerId, now()));
  await ask();
  await ask();
  await send();
  await send();
  expect(receiver.received.map(({ to }) => to)).toEqual([email]);
  const links = await test.db.execute(sql`select from alert_link where owner_id = ${ownerId}`);
  expect(links).toHaveLength(1);
  const secret = secretIn(receiver.received[0]?.text ?? "", "confirm/");
  expect(await ownerOfLink(test.db, secret, "confirm", now())).toBe(ownerId);
  await ask();
  await test.db.execute(
    sql`update alert_owner set email_confirmed_at = now() where owner_id = ${ownerId}`,
  );
  pass(hourMs);
  await send();
  expect(receiver.received).toHaveLength(1);
  expect(await waiting()).toBe(0);
});

it("a mail of a worker that died is sent by another one after a while", async () => {
  const receiver = await startSmtpReceiver();
  const { now, pass, send } = await world(receiver.url);
  const { ownerId, email } = await addOwner(now(), false);
  await test.db.transaction((tx) => sendConfirmation(tx, ownerId, now()));
  const hold = new Date(now().getTime() + 120_000);
  expect(await reserveMails(test.db, 4, now(), hold)).toHaveLength(1);
  await send();
  expect(receiver.received).toEqual([]);
  pass(120_000);
  await send();
  expect(receiver.received.map(({ to }) => to)).toEqual([email]);
});

it("several workers send each mail once", async () => {
  const receiver = await startSmtpReceiver();
  const { now, pass, queue, send } = await world(receiver.url);
  for (let n = 0; n < 12; n++) await addEvent((await addOwner(now())).ownerId, "鞄");
  pass(dayMs);
  await Promise.all([queue(), queue(), queue()]);
  await queue();
  while ((await waiting()) !== 0) await Promise.all([send(), send(), send()]);
  expect(receiver.received).toHaveLength(12);
  expect(new Set(receiver.received.map(({ to }) => to)).size).toBe(12);
});

it("an address cannot add others, and deleting a visitor deletes what waits", async () => {
  const receiver = await startSmtpReceiver();
  const { now, send } = await world(receiver.url);
  const { ownerId } = await addOwner(now(), false);
  await test.db.execute(
    sql`update alert_owner set email = 'a@mail.example, b@mail.example' where owner_id = ${ownerId}`,
  );
  await test.db.transaction((tx) => sendConfirmation(tx, ownerId, now()));
  await send();
  expect(receiver.received.filter(({ to }) => /^[ab]@mail\.example$/.test(to))).toEqual([]);
  await test.db.execute(sql`delete from alert_owner where owner_id = ${ownerId}`);
  expect(await waiting()).toBe(0);
});
