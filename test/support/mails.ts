import { sql } from "drizzle-orm";
import { chooseDigest, queueDigests } from "../../src/alerts/mail/address.ts";
import { createMailing } from "../../src/alerts/mail/mailing.ts";
import { createSmtp } from "../../src/alerts/mail/smtp.ts";
import { createLogger } from "../../src/lib/logger.ts";
import { must } from "../../src/lib/must.ts";
import { wallClock } from "./clock.ts";
import { openedForAll } from "./opened.ts";
import { createTestDb } from "./postgres.ts";

export const timezone = "Asia/Tokyo";

/** Mails to visitors of a database of the file's own, for all its tests. */
export function mailsForAll() {
  const test = openedForAll(createTestDb);

  /** Mailing to one server, with a wall clock that moves when told. */
  async function world(url: string) {
    await test.db.execute(sql`delete from outgoing_mail`);
    await test.db.execute(sql`update alert_owner set digest_at = null`);
    const { clock, now, pass } = wallClock(Date.parse("2026-11-23T00:00:00Z"));
    const lines: string[] = [];
    const logger = createLogger(
      { level: "info", format: "json" },
      { write: (line: string) => void lines.push(line) },
    );
    const step = createMailing({
      db: test.db,
      clock,
      logger,
      send: createSmtp({ url, from: "Kurabe <alerts@kurabe.example>" }),
      site: { publicUrl: "https://kurabe.example", currency: "JPY" },
      random: () => 0,
    });
    return {
      now,
      lines,
      pass,
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

  return { test, world, addOwner, addEvent, waiting };
}
