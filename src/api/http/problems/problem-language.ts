import type { Context } from "hono";
import { parseAccept } from "hono/utils/accept";
import type { Language } from "../../../lib/languages.ts";
import { createTranslator } from "../../../lib/translator.ts";

/** What is wrong with parameters, in English and Japanese, in the form of `problemDetailsJa`. */
export const parameterFaultsJa: Readonly<Record<string, string>> = {
  "may be given only once": "1回だけ指定できます",
  "may be given at most {n} times": "{n}回まで指定できます",
  "must be true or false": "true か false にしてください",
  "must be one of: {values}": "次のどれかにしてください：{values}",
  "must be a whole number from {min} to {max}, or null":
    "{min}から{max}までの整数か null にしてください",
  "must be a whole number from {min} to {max}": "{min}から{max}までの整数にしてください",
  "must be a number from {min} to {max}": "{min}から{max}までの数にしてください",
  "must be a number": "数にしてください",
  "must be from {min} to {max}": "{min}から{max}までにしてください",
  "must be a text": "文字列にしてください",
  "must be a text of digits": "数字の文字列にしてください",
  "must be a text of 1 to {n} characters without control characters":
    "制御文字のない1〜{n}文字にしてください",
  "must be given": "指定してください",
  "must have at most {n} characters": "{n}文字以内にしてください",
  "must not have NUL or half of a surrogate pair":
    "NUL や、サロゲートペアの片方だけは含められません",
  "must be 1 to 32 letters (a-z), digits, dots, dashes or underscores":
    "英字・数字・ドット・ハイフン・下線の1〜32文字にしてください",
  "must be an ISO 8601 date or a time with its offset (in an address, + is %2B), such as {example}":
    "ISO 8601 の日付か、時差の付いた日時にしてください（アドレスでは + を %2B と書きます。例：{example}）",
  "must be an ISO 8601 time with an offset, such as {example}":
    "時差の付いた ISO 8601 の日時にしてください（例：{example}）",
  "must be an ISO 8601 time, such as {example}": "ISO 8601 の日時にしてください（例：{example}）",
  "must be a day, such as {example}": "日付にしてください（例：{example}）",
  "must be in the future": "未来の日時にしてください",
  "must not be after until": "until より後にはできません",
  "must be after from": "from より後にしてください",
  "must not be empty": "空にはできません",
  "must not exceed price_max": "price_max を超えられません",
  "must change something": "変更する項目を指定してください",
  "must be an object of numbers": "数値のオブジェクトにしてください",
  "must be an object of parameters": "パラメーターのオブジェクトにしてください",
  "must be another product than a": "a とは別の商品にしてください",
  "must be a list of ids of deliveries": "配信のIDの一覧にしてください",
  "must be a list of ids": "IDの一覧にしてください",
  "must be a list of rules": "条件の一覧にしてください",
  "must be a list of origins": "オリジンの一覧にしてください",
  "must be a list of: {values}": "次のものの一覧にしてください：{values}",
  "must be an object": "オブジェクトにしてください",
  "must be a list of barcodes": "バーコードの一覧にしてください",
  "was deleted meanwhile": "すでに削除されています",
  "must be an e-mail address": "メールアドレスを入力してください",
  "there may be {n} of them: delete some": "{n}件まで登録できます。不要なものを削除してください",
  "must have at least one rule": "条件が1つ以上必要です",
  "must have at least 1 id": "IDが1つ以上必要です",
  "must be a list of keywords": "キーワードの一覧にしてください",
  "must have at least 1 keyword": "キーワードが1つ以上必要です",
  "must have at most {n} keywords": "キーワードは{n}個までです",
  "must have an id": "IDが必要です",
  "must have at most {n} ids": "IDは{n}個までです",
  "must have at most {n} rules": "条件は{n}個までです",
  "must have at most {n} barcodes": "バーコードは{n}個までです",
  "may have at most {n} origins": "オリジンは{n}個までです",
  "each kind may be given once": "同じ種類は1回だけ指定できます",
  "must be an origin such as {example}: scheme, host and port only":
    "オリジンにしてください（例：{example}）。スキーム・ホスト・ポートだけです",
  "must be `next` of an earlier answer": "前の応答の `next` にしてください",
  "must be the `cursor` of an item, or the `next` of an answer":
    "商品の `cursor` か応答の `next` にしてください",
  "is of a catalogue that is no longer there": "すでにないカタログのものです",
  "is needed, or ids": "これか ids が必要です",
  "may not be given together with from and to": "from と to とは同時に指定できません",
  "may be given only with from and to": "from と to を指定したときだけ使えます",
  "is not known here": "ここでは使えません",
  "is not known here; known are: {names}": "ここでは使えません。使えるもの：{names}",
  "is not a setting of {job}; known are: {names}":
    "{job} の設定ではありません。使えるもの：{names}",
  "restricts searches only: a saved search cannot have it": "検索専用です。保存検索には使えません",
  "may be true only with item_id, group_id or gtin in the query":
    "query に item_id・group_id・gtin のどれかがあるときだけ true にできます",
  "must restrict the products by at least one of: {names}":
    "次のどれかで商品を絞り込んでください：{names}",
  "this API key has no such webhook": "このAPIキーにそのWebhookはありません",
  "must be a URL such as {example}": "URLにしてください（例：{example}）",
  "must begin with https://": "https:// で始めてください",
  "may have at most {n} characters": "{n}文字までです",
  "must not have a user name or password": "ユーザー名やパスワードは含められません",
  "must not have a fragment (#…)": "フラグメント（#…）は含められません",
  "must lead to a public address": "公開されたアドレスにしてください",
  "is not a GTIN: {why}": "GTINではありません：{why}",
  "must consist of digits": "数字だけにしてください",
  "must have 8, 12, 13 or 14 digits; this has {n}": "8・12・13・14桁のどれかです。これは{n}桁です",
  "must not be all zeros": "すべて0にはできません",
  "its check digit is {digit}, but for the digits before it that would be {right}":
    "検査数字が{digit}ですが、その前の数字からは{right}になります",
  "page × per_page must not exceed {n}; to see more, ask with a later since, by shop or by category":
    "page × per_page は{n}までです。続きは since を遅くするか、ショップやカテゴリーで分けてください",
  "page × per_page must not exceed {n}; to get everything, split the search by shop_id or by price_min and price_max until each part finds fewer":
    "page × per_page は{n}までです。すべて得るには、件数が収まるまで shop_id か price_min・price_max で分けてください",
  "page × per_page must not exceed {n}: rarer categories are found by GET /v1/facets/category":
    "page × per_page は{n}までです。少ないカテゴリーは GET /v1/facets/category で探せます",
  "page × per_page must not exceed {n}: smaller shops are found by what they sell":
    "page × per_page は{n}までです。小さいショップは扱う商品から探せます",
  '"{cron}" has {n} fields; expected 5: minute hour day-of-month month day-of-week':
    "「{cron}」は {n} 項目です。「分 時 日 月 曜日」の5項目で書いてください。",
  '"{value}" cannot be used as {field}; {others}': "{field}に「{value}」は使えません。{others}",
  '"{value}" cannot be used as {field}': "{field}に「{value}」は使えません。",
  "minute (0 to 59)": "分",
  "hour (0 to 23)": "時",
  "day of month (1 to 31)": "日",
  "month (1 to 12, or jan to dec)": "月",
  "day of week (0 to 7, or sun to sat)": "曜日",
  expression: "式",
  "day-of-month and day-of-week cannot both be set; leave one of them as *":
    "日と曜日は同時に指定できません。どちらかを * にしてください。",
  "it never fires": "この式の時刻は来ません。",
  "Invalid input: expected {type}, received undefined": "必要です",
  "Invalid input: expected {type}, received {given}":
    "型が違います（{type} が必要、{given} でした）",
  "Invalid option: expected one of {values}": "次のどれかにしてください：{values}",
  "Too small: expected {what} to have {bound}": "短すぎます（{bound}）",
  "Too small: expected {what} to be {bound}": "小さすぎます（{bound}）",
  "Too big: expected {what} to have {bound}": "長すぎます（{bound}）",
  "Too big: expected {what} to be {bound}": "大きすぎます（{bound}）",
  "Invalid input": "使えない値です",
};

/** What problems say, in English and Japanese. `{name}` stands for any text, which is kept. */
export const problemDetailsJa: Readonly<Record<string, string>> = {
  "{n} parameters cannot be used": "使えないパラメーターが{n}個あります",
  "1 parameter cannot be used": "使えないパラメーターが1個あります",
  "there are too many streams; a key may have {n}":
    "ストリームが多すぎます。1つのキーにつき{n}本までです",
  "this site sends no mails": "このサイトはメールを送っていません",
  "no feed has this address": "このアドレスのフィードはありません",
  "this API key is for pages, which show it to everybody; use one without origins":
    "このAPIキーはページ用で、誰にでも見えます。オリジンのないキーを使ってください",
  "this API key has no such saved search": "このAPIキーにその保存検索はありません",
  "this API key has {n} saved searches already; delete some":
    "このAPIキーにはすでに{n}件の保存検索があります。いくつか削除してください",
  "this API key has {n} webhooks already": "このAPIキーにはすでに{n}件のWebhookがあります",
  "this API key has no such webhook": "このAPIキーにそのWebhookはありません",
  "this webhook is paused or disabled; enable it first":
    "このWebhookは停止中か無効です。先に有効にしてください",
  "this catalogue publishes no snapshots": "このカタログはスナップショットを公開していません",
  "no such file in the manifest; read it again":
    "一覧にそのファイルはありません。一覧を読み直してください",
  "no such file in the manifest": "一覧にそのファイルはありません",
  "the answer would have more than the {n} bytes that are allowed; ask for fewer products or fewer of their fields":
    "応答が上限の{n}バイトを超えます。商品か項目を減らしてください",
  "send an API key as `X-Api-Key: …` or `Authorization: Bearer …`":
    "APIキーを `X-Api-Key: …` または `Authorization: Bearer …` で送ってください",
  "this API key is not known, or was revoked": "このAPIキーは存在しないか、失効しています",
  "this API key is for pages of other origins": "このAPIキーは別のオリジンのページ用です",
  "this API key is limited to {limits}": "このAPIキーの上限は{limits}です",
  "{n} requests a minute and {m} requests a day": "1分に{n}回、1日に{m}回",
  "{n} requests a minute": "1分に{n}回",
  "{n} requests a day": "1日に{n}回",
  "the search engine cannot read this search": "検索エンジンがこの検索を読み取れません",
  "the search engine does not answer": "検索エンジンが応答しません",
  "API keys cannot be checked now": "いまAPIキーを確認できません",
  "the database does not answer": "データベースが応答しません",
  "too many requests of this size are under way; smaller ones are answered at once":
    "この大きさのリクエストが集中しています。小さいものにはすぐ応答します",
  "loops of the worker hang: {names}": "ワーカーのループが止まっています: {names}",
  "Kurabe is stopping; another process answers": "停止中です。ほかのプロセスが応答します",
  "Kurabe is starting; try again in a moment": "起動中です。少し待ってから試してください",
  "the answer took too long": "時間内に応答できませんでした",
  "the body is not valid JSON": "本文が正しいJSONではありません",
  "nothing that was chosen is there any more": "選んだものはもうありません",
  "the body is not a form": "本文がフォームの形式ではありません",
  "the body is too large": "本文が大きすぎます",
  "the body must be sent as application/json": "本文は application/json で送ってください",
  "the body must be sent as UTF-8, and not compressed": "本文は UTF-8 で、圧縮せずに送ってください",
  "something went wrong on our side; the request_id helps us to find it":
    "こちらの不具合です。request_id があれば調べられます",
  "there is nothing at this address; see /openapi.json":
    "このアドレスには何もありません。/openapi.json を見てください",
  "this address answers {methods}": "このアドレスが応答するのは {methods} です",
  "too many requests from this address": "このアドレスからのリクエストが多すぎます",
  "the address must be percent-encoded UTF-8 without NUL":
    "アドレスはパーセント符号化したUTF-8とし、NULを含めないでください",
  "a {method} request must not have a body": "{method} に本文は付けられません",
  "pages of other sites cannot send this form; the API allows them the same":
    "ほかのサイトのページからこのフォームは送れません。APIからは同じことができます",
  "another operator has changed the same of this job":
    "ほかの人がこのジョブの同じ項目を変更しました",
  "there is no such job": "そのジョブはありません",
  "a run of {job} is active already": "{job} はすでに実行中です",
  "no run of {job} that was started by hand is active":
    "手動で始めた {job} の実行中のものはありません",
  "runs of {job} cannot be stopped: they make no calls and end by themselves":
    "{job} は中止できません。呼び出しを使わず、自分で終わります",
  "this subject is not backing off any more": "もう再試行待ちではありません",
  "there is no such keyword": "そのキーワードはありません",
  "this keyword is in the list already": "このキーワードはすでにあります",
  "there is no such live key": "その有効なキーはありません",
  "there are {n} live keys already; revoke those that nobody uses":
    "有効なキーがすでに{n}個あります。使わないものを失効させてください",
  "one of the products has never been seen": "見つかったことのない商品があります",
  "decision {id} about the same products stands: {decision}":
    "同じ商品について決定{id}（{decision}）があります",
  "there is no such decision": "その決定はありません",
  "a later decision about the same products has replaced it, or it was undone":
    "同じ商品についての後の決定に置き換わったか、取り消されています",
  "there is no such webhook": "そのWebhookはありません",
  "there is no such call": "その呼び出しの記録はありません",
  "send the ops token as `Authorization: Bearer …`":
    "運用トークンを `Authorization: Bearer …` で送ってください",
  "this needs a token with the role operate; this one has the role read":
    "operate の権限のトークンが必要です。このトークンは read です",
  "the catalogue was restored, or its database replaced, since: begin again with an empty copy, without `after`":
    "その後カタログが復元されたか、データベースが替わりました。`after` なしで、空の状態から読み直してください",
  "no http or https address is known where this product is sold":
    "この商品を売っている http か https のアドレスが分かりません",
  "there has never been a group with this group_id":
    "この group_id のまとまりは存在したことがありません",
  "this group was dissolved at {at}: its products are not the same, or fewer than two are left":
    "このまとまりは {at} に解かれました。同じ商品でないか、残りが2つ未満です",
  "no product with this item_id has ever been seen":
    "この item_id の商品は見つかったことがありません",
  "there is no product with this id": "この番号の商品はありません",
  "the shop has deleted this product; this was seen at {at}":
    "ショップがこの商品を削除しました（{at} に確認）",
  "today's calls for refresh on demand are used up; new calls are available at {at}":
    "今日の再確認の枠を使い切りました。次は {at} から使えます",
  "this address has used its share of today's calls for refresh on demand; new calls are available at {at}":
    "このアドレスは今日の再確認の枠を使い切りました。次は {at} から使えます",
  "the crawler makes no calls now; the product is shown as of its last check":
    "いまは上流を呼び出していません。商品は最後に確認した内容です",
  "the upstream's answer was not usable for this product":
    "この商品について上流の応答を使えませんでした",
  "no shop with this shop_id has ever been seen":
    "この shop_id のショップは見つかったことがありません",
  "the form does not belong to this session":
    "このフォームは期限切れか、このサイトのものではありません",
};

const problemTitlesJa: Readonly<Record<number, string>> = {
  400: "リクエストが正しくありません",
  401: "認証が必要です",
  403: "許可されていません",
  404: "見つかりません",
  405: "このメソッドは使えません",
  409: "現在の状態と合いません",
  410: "なくなりました",
  413: "本文が大きすぎます",
  415: "対応していない形式です",
  429: "リクエストが多すぎます",
  500: "内部エラー",
  503: "一時的に利用できません",
};

/** What the client reads more gladly; English for programs that say nothing. */
export function problemLanguage(c: Context): Language {
  const weights = new Map<string, number>();
  for (const { type, q } of parseAccept(c.req.header("Accept-Language") ?? "")) {
    const language = type.split("-")[0]?.toLowerCase() ?? "";
    weights.set(language, Math.max(q, weights.get(language) ?? 0));
  }
  return (weights.get("ja") ?? 0) > (weights.get("en") ?? weights.get("*") ?? 0) ? "ja" : "en";
}

/** A problem's detail or the message of a parameter in this language; a text that is not known stays. */
export function problemText(text: string, language: Language): string {
  return language === "en" ? text : (toJapanese(text) ?? text);
}

export function problemTitle(status: number, title: string, language: Language): string {
  return language === "en" ? title : (problemTitlesJa[status] ?? title);
}

/** null: the table lacks it. */
export const toJapanese = createTranslator({ ...problemDetailsJa, ...parameterFaultsJa });
