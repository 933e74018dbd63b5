import { toSubjectText, type NamedSubject } from "../../../crawl/backoff-list.ts";
import type { Texts } from "../../shared/messages/in-language.ts";

/** Texts about the log of calls, failures over time, and subjects in backoff. */
export const calls = {
  calls: {
    title: ["最近の呼び出し", "Latest calls"],
    empty: ["まだありません。", "None yet."],
    at: ["時刻", "Time"],
    what: ["内容", "What"],
    outcome: ["結果", "Outcome"],
    unknown: ["不明", "unknown"],
    brought: ["成果", "Result"],
    all: ["呼び出しの記録", "Log of calls"],
    purpose: ["目的", "Purpose"],
    statuses: {
      ok: ["成功", "ok"],
      failed: ["失敗のみ", "failures only"],
      unknown: ["結果不明", "unknown"],
    },
    keyword: ["キーワード", "Keyword"],
    none: ["該当する呼び出しはありません。", "No such call."],
    further: [
      "このページの範囲にはありません。次のページを見てください。",
      "None among the calls of this page. Look at the next one.",
    ],
    one: (id: string) => [`呼び出し ${id}`, `Call ${id}`],
    back: ["一覧へ戻る", "Back to the list"],
    missing: ["この呼び出しの記録はありません。", "No such call is in the log."],
    cost: ["費用", "Cost"],
    oneCall: (day: string) => [`${day} の枠から1回`, `1 call of ${day}`],
    took: ["時間", "Took"],
    milliseconds: (ms: string) => [`${ms} ミリ秒`, `${ms} ms`],
    asked: ["送った内容（認証情報を除く）", "What was sent (without credentials)"],
    found: ["一致した件数", "Matches"],
    returned: ["返された商品", "Returned"],
    duplicates: ["重複", "Duplicates"],
    products: ["対象の商品", "Products"],
    productsLead: [
      "番号で尋ねた商品と、消滅を確認した商品です。検索で返された商品の一覧は保存していません。",
      "Those it asked for by id, and those it proved deleted. Of the items of a search no list is kept.",
    ],
    effect: ["変化", "What changed"],
    deleted: ["消滅を確認", "proven deleted"],
    noChange: ["価格と在庫は同じ", "price and stock are the same"],
    stock: ["在庫", "stock"],
    quarantine: ["隔離した商品", "In quarantine"],
    items: (returned: string, news: string) => [
      `${returned} 件、うち新情報 ${news}`,
      `${returned} items, ${news} new, changed or deleted`,
    ],
  },
  failures: {
    title: ["失敗した呼び出しの推移", "Failed calls over time"],
    range: ["期間", "Range"],
    ranges: {
      day: ["24時間", "24 hours"],
      week: ["7日", "7 days"],
      month: ["30日", "30 days"],
    },
    none: ["この期間に失敗はありません。", "No call failed in this time."],
    describe: (total: string) => [`この期間に ${total} 回`, `${total} in this time`],
    when: ["時期", "When"],
    calls: ["呼び出し", "Calls"],
    failed: ["失敗", "Failed"],
  },
  backoffs: {
    lead: [
      "呼び出しが失敗し続けるものだけを、間隔を延ばしながら後で再試行します。ほかの商品の確認は続きます。",
      "A subject whose calls fail is tried again later, after a longer wait each time. All other calls continue.",
    ],
    empty: ["再試行を待っているものはありません。", "Nothing is in backoff."],
    kinds: {
      keyword: ["キーワード", "Keyword lists"],
      page: ["位置", "Positions"],
      shop: ["ショップ", "Shops"],
      product: ["商品", "Products"],
    },
    kindsLabel: ["種類", "Kinds"],
    count: (kind: string, count: string) => [`${kind} ${count}`, `${kind} ${count}`],
    waiting: (parts: string) => [
      `失敗のため再試行待ち：${parts}`,
      `Backing off after failed calls: ${parts}`,
    ],
    look: ["一覧を見る", "Show them"],
    what: ["対象", "What"],
    since: ["いつから", "Since"],
    failures: ["連続失敗", "In a row"],
    why: ["理由", "Why"],
    next: ["次の試行", "Next try"],
    soon: ["まもなく", "at once"],
    isolated: ["単独で確認", "requested alone"],
    halving: (next: string, rest: string) => [
      `切り分け中：次に ${next} 件、残り ${rest} 件`,
      `halving: ${next} next, then ${rest}`,
    ],
    ofCall: (id: string) => [`呼び出し ${id}`, `call ${id}`],
    retry: ["今すぐ再試行", "Retry now"],
    subject: (what: NamedSubject) => [subject(what), toSubjectText(what)],
  },
} satisfies Texts;

const orders = {
  "id-ascending": "全件",
  "id-descending": "新しい番号順",
  modified: "更新順",
  popular: "人気順",
};

function subject(what: NamedSubject): string {
  switch (what.kind) {
    case "keyword":
      return `「${what.q}」${inShop(what)}の${orders[what.order]}`;
    case "page":
      return `「${what.q}」${inShop(what)}の${orders[what.order]}、位置 ${what.position}`;
    case "shop":
      return `ショップ ${what.shop.shopName}`;
    case "product":
      return `${what.title}${inShop(what)}`;
  }
}

function inShop({ shop }: NamedSubject): string {
  return shop === null ? "" : `（ショップ ${shop.shopName}）`;
}
