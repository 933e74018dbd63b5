import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { sendConfirmation } from "../../src/alerts/mail/queue.ts";
import { idList } from "../../src/db/rows.ts";
import { mailsForAll } from "../support/mails.ts";
import { startSmtpReceiver } from "../support/smtp-receiver.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const { test, world, addOwner, addEvent, waiting } = mailsForAll();

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

it("a server that refuses the sender, and so every address, stops nobody's digests", async () => {
  const refusals = [
    "554 5.7.1 relay access denied",
    "550 relay not permitted",
    "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)",
    "550-Verification failed for <alerts@kurabe.example>\r\n550 Sender verify failed",
    "550 5.1.8 <alerts@kurabe.example>: Sender address rejected: Domain not found",
    "550 5.1.7 Invalid address",
  ];
  let turn = 0;
  const receiver = await startSmtpReceiver({ rcpt: () => refusals[turn++] ?? "250 ok" });
  const { now, pass, queue, send } = await world(receiver.url);
  const owners: number[] = [];
  while (owners.length < refusals.length) {
    const { ownerId } = await addOwner(now());
    await addEvent(ownerId, "鞄");
    owners.push(ownerId);
  }
  pass(dayMs);
  await queue();
  await send();
  await send();
  expect(turn).toBe(refusals.length);
  expect(await waiting()).toBe(refusals.length);
  const stopped = await test.db.execute(sql`
    select from alert_owner where owner_id in ${idList(owners)} and email_confirmed_at is null`);
  expect(stopped).toHaveLength(0);
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

it("an address at which the server breaks off keeps no other mail waiting", async () => {
  const broken: string[] = [];
  const receiver = await startSmtpReceiver({
    end: (to) => (broken.includes(to) ? null : "250 ok"),
  });
  const { now, pass, queue, send } = await world(receiver.url);
  const first = await addOwner(now());
  broken.push(first.email);
  await addEvent(first.ownerId, "鞄");
  for (let others = 0; others < 5; others += 1)
    await addEvent((await addOwner(now())).ownerId, "鞄");
  pass(dayMs);
  await queue();
  expect(await send()).toBe(0);
  await send();
  expect(receiver.received.filter(({ to }) => to !== first.email)).toHaveLength(5);
});

it("a mail whose attempts somebody wrote by hand at the end of their column keeps no other waiting", async () => {
  const receiver = await startSmtpReceiver();
  const { now, pass, queue, send } = await world(receiver.url);
  const [spoilt, other] = [await addOwner(now()), await addOwner(now())];
  for (const { ownerId } of [spoilt, other]) await addEvent(ownerId, "鞄");
  pass(dayMs);
  await queue();
  await test.db.execute(sql`
    update outgoing_mail set attempts = 2147483647, unsettled = 2147483647 where owner_id = ${spoilt.ownerId}`);
  await send();
  expect(receiver.received.map(({ to }) => to)).toEqual([other.email]);
  expect(await waiting()).toBe(0);
});
