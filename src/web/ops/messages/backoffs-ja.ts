import type { NamedSubject } from "../../../crawl/backoff-list.ts";

/** Japanese texts about subjects in backoff. */
export const backoffsJa = {
  lead: "呼び出しが失敗し続けるものだけを、間隔を延ばしながら後で再試行します。ほかの商品の確認は続きます。",
  empty: "再試行を待っているものはありません。",
  kinds: { keyword: "キーワード", page: "位置", shop: "ショップ", product: "商品" },
  all: "すべて",
  kindsLabel: "種類",
  count: (kind: string, count: string) => `${kind} ${count}`,
  waiting: (parts: string) => `失敗のため再試行待ち：${parts}`,
  look: "一覧を見る",
  what: "対象",
  since: "いつから",
  failures: "連続失敗",
  why: "理由",
  next: "次の試行",
  soon: "まもなく",
  isolated: "単独で確認",
  halving: (next: string, rest: string) => `切り分け中：次に ${next} 件、残り ${rest} 件`,
  call: (id: string) => `呼び出し ${id}`,
  action: "操作",
  retry: "今すぐ再試行",
  more: "続き",
  subject,
};

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
