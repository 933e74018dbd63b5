import { expect, it } from "vitest";
import { composeConfirmation, composeDigest } from "./compose.ts";
import type { DigestSearch } from "./read-digest.ts";

const site = { publicUrl: "https://kurabe.example", currency: "JPY" };
const links = { manage: "m".repeat(32), unsubscribe: "u".repeat(32) };

const search = (name: string | null, titles: string[]): DigestSearch => ({
  name,
  events: titles.map((title, index) => ({
    itemId: index + 1,
    kind: "price_drop",
    data: { title, price: 900, prev_price: 1000 },
  })),
});

it("lists events by saved search, and leads to products, alerts and the end of digests", () => {
  const searches = [search("財布", ["革財布"]), search(null, ["鞄"])];
  const mail = composeDigest("ja", site, { total: 2, searches, ...links });
  expect(mail.subject).toBe("Kurabe: 2 件のお知らせ");
  expect(mail.text).toBe(`■ 財布
- 値下がり：革財布 ￥1,000 → ￥900
  https://kurabe.example/products/1

■ 削除された保存検索
- 値下がり：鞄 ￥1,000 → ￥900
  https://kurabe.example/products/1

お知らせを見る・変更する: https://kurabe.example/alerts/${links.manage}
まとめメールの配信を停止する: https://kurabe.example/alerts/unsubscribe/${links.unsubscribe}
`);
  expect(mail.html).toContain(`<a href="https://kurabe.example/alerts/${links.manage}">`);
  expect(mail.unsubscribeUrl).toBe(
    `https://kurabe.example/alerts/unsubscribe/${links.unsubscribe}`,
  );
});

it("no title or name is markup, or a line of its own", () => {
  const evil = `<img src=x onerror="a">&'\n■ fake\u2028\u202e\u0000`;
  const mail = composeDigest("en", site, { total: 1, searches: [search(evil, [evil])], ...links });
  expect(mail.html).not.toMatch(/<img|onerror="|&'/);
  expect(mail.html).toContain("&lt;img src=x onerror=&quot;a&quot;&gt;&amp;&#39; ■ fake");
  expect(mail.text.split("\n").filter((line) => line.startsWith("■"))).toHaveLength(1);
  for (const char of ["\u2028", "\u202e", "\u0000"]) expect(mail.text).not.toContain(char);
});

it("as many events as fit are listed, of each saved search alike, and the rest is counted", () => {
  const titles = Array.from({ length: 20 }, (_, n) => `${n} ${"<鞄>".repeat(100)}`);
  const searches = Array.from({ length: 50 }, (_, n) => search(`s${n}`, titles));
  const mail = composeDigest("ja", site, { total: 5000, searches, ...links });
  const listed = mail.text.match(/^- /gm)?.length ?? 0;
  expect(listed).toBeGreaterThan(10);
  expect(mail.text).toContain(`ほか ${5000 - listed} 件`);
  expect(mail.html).toContain(`ほか ${5000 - listed} 件`);
  const size = Buffer.byteLength(mail.text) + Buffer.byteLength(mail.html);
  expect(size).toBeLessThan(57_000);
});

it("a digest in which every event fits counts no others", () => {
  const searches = [search("a", ["1", "2", "3"]), search("b", ["4"])];
  const mail = composeDigest("en", site, { total: 4, searches, ...links });
  expect(mail.subject).toBe("Kurabe: 4 alerts");
  expect(mail.text).not.toContain("more");
});

it("a confirmation says what the link does, and that nothing need be done", () => {
  const mail = composeConfirmation("en", site, "c".repeat(32));
  const url = `https://kurabe.example/alerts/confirm/${"c".repeat(32)}`;
  expect(mail.text).toContain(url);
  expect(mail.html).toContain(`href="${url}"`);
  expect(mail.unsubscribeUrl).toBeNull();
});
