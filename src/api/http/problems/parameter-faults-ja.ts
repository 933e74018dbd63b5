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
  "must be a list of barcodes": "バーコードの一覧にしてください",
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
    "「{cron}」は{n}項目です。「分 時 日 月 曜日」の5項目で書いてください",
  "day-of-month and day-of-week cannot both be set; leave one of them as *":
    "日と曜日は同時に指定できません。どちらかを * にしてください",
  "it never fires": "この式の時刻は来ません",
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
