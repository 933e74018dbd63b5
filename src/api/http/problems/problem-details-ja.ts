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
export const problemTitlesJa: Readonly<Record<number, string>> = {
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
