import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { chooseDigest, nextDigestAt, queueDigests } from "../../src/alerts/mail/digests.ts";
import { createMailing } from "../../src/alerts/mail/mailing.ts";
import { reserveMails, sendConfirmation } from "../../src/alerts/mail/queue.ts";
import { createSmtp, type SendMail } from "../../src/alerts/mail/smtp.ts";
import { createSecret } from "../../src/alerts/secrets.ts";
import { systemClock, type Clock } from "../../src/lib/clock.ts";
import { createLogger } from "../../src/lib/logger.ts";
import { must } from "../../src/lib/must.ts";
import { createTestDb, type TestDb } from "../support/postgres.ts";
import { startSmtpReceiver } from "../support/smtp-receiver.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const timezone = "Asia/Tokyo";
let test: TestDb;
beforeAll(async () => {
  test = await createTestDb();
});
afterAll(() => test.close());

/** Mailing to one server, with a wall clock that moves when told. */
async function world(url: string, change: (send: SendMail) => SendMail = (send) => send) {
  await test.db.execute(sql`delete from outgoing_mail`);
  await test.db.execute(sql`update alert_owner set digest_at = null`);
  let nowMs = Date.parse("2026-11-23T00:00:00Z");
  const clock: Clock = { ...systemClock, now: () => new Date(nowMs) };
  const now = () => clock.now();
  const lines: string[] = [];
  const links: string[] = [];
  const logger = createLogger(
    { level: "info", format: "json" },
    { write: (line: string) => void lines.push(line) },
  );
  const step = createMailing({
    db: test.db,
    clock,
    logger,
    send: change(createSmtp({ url, from: "Kurabe <alerts@kurabe.example>" })),
    createLink: async (_tx, ownerId, purpose) => {
      const secret = createSecret();
      links.push(`${ownerId} ${purpose} ${secret}`);
      return secret;
    },
    site: { publicUrl: "https://kurabe.example", currency: "JPY" },
    random: () => 0,
  });
  return {
    now,
    links,
    lines,
    pass: (ms: number) => {
      nowMs += ms;
    },
    queue: () => test.db.transaction((tx) => queueDigests(tx, now(), timezone)),
    send: () => step(new AbortController().signal),
  };
}

let owners = 0;
/** A visitor with a daily digest; unconfirmed without one. */
async function addOwner(now: Date, isConfirmed = true) {
  owners += 1;
  const email = `visitor-${owners}@mail.example`;
  const [row] = await test.db.execute<{ owner_id: number }>(sql`
    insert into alert_owner (secret_hash, email, email_confirmed_at, lang, created_at)
    values (${`hash ${owners}`}, ${email}, ${isConfirmed ? now.toISOString() : null}, 'ja', now())
    returning owner_id`);
  const ownerId = must(row, "the owner").owner_id;
  if (isConfirmed) {
    const choice = { ownerId, choice: "daily" } as const;
    await test.db.transaction((tx) => chooseDigest(tx, choice, { now, timezone }));
  }
  return { ownerId, email };
}

let versions = 0;
async function addEvent(ownerId: number, title: string, isQuiet = false) {
  versions += 1;
  await test.db.execute(sql`
    insert into alert_event (owner_id, saved_search_id, item_id, kind, ver, data, is_quiet, changed_at)
    values (${ownerId}, ${ownerId}, ${versions}, 'price_drop', ${versions},
      ${JSON.stringify({ title, price: 900, prev_price: 1000 })}::text::jsonb, ${isQuiet}, now())`);
}

const waiting = async () =>
  (await test.db.execute<{ n: number }>(sql`select count(*)::int as n from outgoing_mail`))[0]?.n;

it("a confirmed address gets one mail a period with all new events, the quiet ones too", async () => {
  const receiver = await startSmtpReceiver();
  const { now, pass, queue, send, links } = await world(receiver.url);
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
  const secretOf = (purpose: string) =>
    links.find((link) => link.startsWith(`${ownerId} ${purpose} `))?.split(" ")[2];
  expect(mail.headers).toMatchObject({
    "list-unsubscribe": `<https://kurabe.example/alerts/unsubscribe/${secretOf("unsubscribe")}>`,
    "list-unsubscribe-post": "List-Unsubscribe=One-Click",
    "auto-submitted": "auto-generated",
  });
  expect(mail.text).toContain(`https://kurabe.example/alerts/${secretOf("manage")}`);
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
  const { now, pass, send, links } = await world(receiver.url);
  const { ownerId, email } = await addOwner(now(), false);
  const ask = () => test.db.transaction((tx) => sendConfirmation(tx, ownerId, now()));
  await ask();
  await ask();
  await send();
  await send();
  expect(receiver.received.map(({ to }) => to)).toEqual([email]);
  expect(links).toHaveLength(1);
  const secret = links[0]?.split(" ")[2] ?? "";
  expect(receiver.received[0]?.text).toContain(`https://kurabe.example/alerts/confirm/${secret}`);
  await ask();
  await test.db.execute(
    sql`update alert_owner set email_confirmed_at = now() where owner_id = ${ownerId}`,
  );
  pass(hourMs);
  await send();
  expect(receiver.received).toHaveLength(1);
  expect(await waiting()).toBe(0);
});

it("mails wait while the server is down, are sent when it is back, and given up after three days", async () => {
  const first = await startSmtpReceiver();
  await first.close();
  const { now, pass, send, lines } = await world(first.url);
  const { ownerId, email } = await addOwner(now(), false);
  const ask = () => test.db.transaction((tx) => sendConfirmation(tx, ownerId, now()));
  await ask();
  expect(await send()).toBe(60_000);
  pass(59_999);
  expect(await send()).toBe(1000);
  pass(1);
  expect(await send()).toBe(60_000);
  expect(await waiting()).toBe(1);
  const again = await startSmtpReceiver({}, Number(new URL(first.url).port));
  pass(2 * 60_000);
  await send();
  expect(again.received.map(({ to }) => to)).toEqual([email]);
  expect(await waiting()).toBe(0);
  await again.close();
  await ask();
  pass(3 * dayMs);
  await send();
  expect(await waiting()).toBe(0);
  expect(lines.at(-1)).toContain("given up");
  expect(lines.join("")).not.toContain(email);
});

it("a refused address stops its own digests only", async () => {
  const refused: string[] = [];
  const receiver = await startSmtpReceiver({
    rcpt: (to) => (refused.includes(to) ? `550 5.1.1 <${to}> no such user` : "250 ok"),
  });
  const { now, pass, queue, send, lines } = await world(receiver.url);
  const [gone, other] = [await addOwner(now()), await addOwner(now())];
  refused.push(gone.email);
  for (const turn of [1, 2]) {
    for (const { ownerId } of [gone, other]) await addEvent(ownerId, `鞄 ${turn}`);
    pass(dayMs);
    await queue();
    await send();
  }
  expect(receiver.received.map(({ to }) => to)).toEqual([other.email, other.email]);
  expect(await waiting()).toBe(0);
  const stored = await test.db.execute(sql`
    select email_confirmed_at is null as is_stopped from alert_owner
    where owner_id in (${gone.ownerId}, ${other.ownerId}) order by owner_id`);
  expect([...stored]).toEqual([{ is_stopped: true }, { is_stopped: false }]);
  expect(lines.join("")).toContain("answered 550 5.1.1");
  expect(lines.join("")).not.toContain("mail.example");
});

it("a server that refuses every sender stops nobody's digests", async () => {
  const receiver = await startSmtpReceiver({ rcpt: () => "554 5.7.1 relay access denied" });
  const { now, pass, queue, send } = await world(receiver.url);
  const { ownerId } = await addOwner(now());
  await addEvent(ownerId, "鞄");
  pass(dayMs);
  await queue();
  await send();
  expect(await waiting()).toBe(1);
  const [stored] = await test.db.execute(sql`
    select email_confirmed_at is not null as gets_mail from alert_owner where owner_id = ${ownerId}`);
  expect(stored).toEqual({ gets_mail: true });
});

it("a mail whose answer is lost is sent once more with the same Message-ID, and never again", async () => {
  const receiver = await startSmtpReceiver({ end: () => null });
  const { now, pass, queue, send } = await world(receiver.url);
  const { ownerId } = await addOwner(now());
  await addEvent(ownerId, "鞄");
  pass(dayMs);
  await queue();
  for (let attempt = 0; attempt < 10; attempt++) {
    await send();
    pass(6 * hourMs);
  }
  expect(receiver.received).toHaveLength(2);
  expect(new Set(receiver.received.map(({ headers }) => headers["message-id"])).size).toBe(1);
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
