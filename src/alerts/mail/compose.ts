import { escapeMarkup } from "../../lib/escape-markup.ts";
import type { Language } from "../../lib/languages.ts";
import { toHeadline } from "../event-text.ts";
import type { DigestEvents, DigestSearch } from "./read-digest.ts";

export interface Composed {
  subject: string;
  text: string;
  html: string;
  /** Of a digest: takes a POST that ends the digests (RFC 8058). */
  unsubscribeUrl: string | null;
}

export interface MailSite {
  /** The origin of the pages, without a slash at its end. */
  publicUrl: string;
  currency: string;
}

/** Base64 makes four bytes of three, and line ends: the mail stays under 80 kB, and Gmail cuts at 102. */
const mostBytes = 54_000;
const mostHeadlineChars = 200;
const mostNameChars = 100;

export function composeConfirmation(lang: Language, site: MailSite, secret: string): Composed {
  const m = mailTexts[lang];
  const url = `${site.publicUrl}/alerts/confirm/${secret}`;
  const text = `${m.confirm}\n\n${url}\n\n${m.notYou}\n`;
  const html = page(
    lang,
    `<p>${escapeMarkup(m.confirm)}</p><p>${link(url, m.confirmLink)}</p><p>${escapeMarkup(m.notYou)}</p>`,
  );
  return { subject: m.confirmSubject, text, html, unsubscribeUrl: null };
}

interface Part {
  text: string;
  html: string;
}

/** As many events as fit, of each saved search about as many as of the others, and the number of the rest. */
export function composeDigest(
  lang: Language,
  site: MailSite,
  digest: DigestEvents & { manage: string; unsubscribe: string },
): Composed {
  const m = mailTexts[lang];
  const { total } = digest;
  const manageUrl = `${site.publicUrl}/alerts/${digest.manage}`;
  const unsubscribeUrl = `${site.publicUrl}/alerts/unsubscribe/${digest.unsubscribe}`;
  const groups = fill(digest.searches, (event) => toLine(lang, site, event), m.deleted);
  const rest = total - groups.reduce((sum, group) => sum + group.lines.length, 0);
  const more: Part[] =
    rest === 0
      ? []
      : [{ text: `${m.more(rest)} ${manageUrl}`, html: `<p>${link(manageUrl, m.more(rest))}</p>` }];
  const parts: Part[] = [
    ...groups.map(({ head, lines }) => ({
      text: [head.text, ...lines.map((line) => line.text)].join("\n"),
      html: `${head.html}<ul>${lines.map((line) => line.html).join("")}</ul>`,
    })),
    ...more,
    {
      text: `${m.manage}: ${manageUrl}\n${m.unsubscribe}: ${unsubscribeUrl}`,
      html: `<p>${link(manageUrl, m.manage)}<br>${link(unsubscribeUrl, m.unsubscribe)}</p>`,
    },
  ];
  return {
    subject: m.digestSubject(total),
    text: `${parts.map(({ text }) => text).join("\n\n")}\n`,
    html: page(lang, parts.map(({ html }) => html).join("")),
    unsubscribeUrl,
  };
}

interface Group {
  head: Part;
  lines: Part[];
}

/** The first event of every saved search, then the second ones, and so on, until the mail is full. */
function fill(
  searches: readonly DigestSearch[],
  toPart: (event: DigestSearch["events"][number]) => Part,
  deleted: string,
): Group[] {
  const open = searches.map(({ name, events }) => ({
    head: toHead(cut(name ?? deleted, mostNameChars)),
    lines: [] as Part[],
    events,
  }));
  let left = mostBytes;
  const longest = Math.max(0, ...searches.map(({ events }) => events.length));
  for (let place = 0; place < longest; place++) {
    for (const group of open) {
      const event = group.events[place];
      if (event === undefined) continue;
      const line = toPart(event);
      left -= bytes(line) + (place === 0 ? bytes(group.head) : 0);
      if (left < 0) return open.filter(({ lines }) => lines.length > 0);
      group.lines.push(line);
    }
  }
  return open;
}

function toHead(name: string): Part {
  return { text: `■ ${name}`, html: `<h2>${escapeMarkup(name)}</h2>` };
}

function toLine(
  lang: Language,
  { publicUrl, currency }: MailSite,
  event: DigestSearch["events"][number],
): Part {
  const url = `${publicUrl}/products/${event.itemId}`;
  const headline = cut(toHeadline(event, { lang, currency }), mostHeadlineChars);
  return { text: `- ${headline}\n  ${url}`, html: `<li>${link(url, headline)}</li>` };
}

/** With what surrounds a part. */
function bytes({ text, html }: Part): number {
  return Buffer.byteLength(text) + Buffer.byteLength(html) + 16;
}

/** One line, so that a title cannot look like another part of the mail. */
function cut(text: string, most: number): string {
  // Cc: control characters; Cf: among others those that turn the direction of the text around.
  const line = text
    .toWellFormed()
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, " ")
    .trim();
  const chars = Array.from(line);
  return chars.length <= most ? line : `${chars.slice(0, most - 1).join("")}…`;
}

function link(url: string, label: string): string {
  return `<a href="${escapeMarkup(url)}">${escapeMarkup(label)}</a>`;
}

function page(lang: Language, body: string): string {
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"></head><body>${body}</body></html>`;
}

const mailTexts = {
  ja: {
    confirmSubject: "Kurabe: メールアドレスの確認",
    confirm: "このアドレスでお知らせのまとめメールを受け取るには、次のリンクを開いてください。",
    confirmLink: "メールアドレスを確認する",
    notYou: "お心当たりがない場合は、何もする必要はありません。まとめメールは送られません。",
    digestSubject: (total: number) => `Kurabe: ${total} 件のお知らせ`,
    /** Instead of the name of a saved search that was deleted. */
    deleted: "削除された保存検索",
    more: (count: number) => `ほか ${count} 件`,
    manage: "お知らせを見る・変更する",
    unsubscribe: "まとめメールの配信を停止する",
  },
  en: {
    confirmSubject: "Kurabe: confirm your mail address",
    confirm: "To get digests of your alerts at this address, open this link:",
    confirmLink: "Confirm the mail address",
    notYou: "If you did not ask for this, you need not do anything: no digest will be sent.",
    digestSubject: (total: number) => `Kurabe: ${total} ${total === 1 ? "alert" : "alerts"}`,
    deleted: "A deleted saved search",
    more: (count: number) => `and ${count} more`,
    manage: "See and change your alerts",
    unsubscribe: "Stop these digests",
  },
} satisfies Record<Language, object>;
