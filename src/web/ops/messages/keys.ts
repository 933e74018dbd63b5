import type { Texts } from "../../shared/messages/in-language.ts";

export const keys = {
  modes: {
    off: [
      "API_KEYS は off です。キーがなくても公開APIを使えます。キーを送れば、利用数はそのキーで数え、そのキーの上限に従います。",
      "API_KEYS is off: the public API can be used without a key. Requests with a key are counted for this key, and its limits hold.",
    ],
    optional: [
      "API_KEYS は optional です。キーがなくても公開APIを使えます。有効なキーには、アドレスごとの上限がかかりません。",
      "API_KEYS is optional: the public API can be used without a key. A valid key lifts the limit of the client's address.",
    ],
    required: [
      "API_KEYS は required です。公開APIにはキーが必要です。ページはキーなしで開けます。",
      "API_KEYS is required: the public API needs a key. The pages can be opened without one.",
    ],
  },
  add: ["キーを作る", "Create a key"],
  name: ["名前", "Name"],
  nameHint: ["使うサイトや人", "who uses it"],
  perMinute: ["1分の上限", "Limit per minute"],
  perDay: ["1日の上限", "Limit per day"],
  noLimit: ["なし", "none"],
  origins: ["使えるオリジン", "Allowed origins"],
  originsHint: [
    "空白で区切る。空ならどこからでも使えます",
    "separated by spaces; empty: from everywhere",
  ],
  button: ["作る", "Create"],
  created: (name: string) => [
    `「${name}」のキーを作りました。`,
    `The key “${name}” has been created.`,
  ],
  copy: [
    "今だけ表示します。写してから、このページを離れてください。",
    "It is shown only now. Copy it before you leave this page.",
  ],
  list: ["キー", "Keys"],
  empty: ["キーはまだありません。", "There are no keys yet."],
  revokedTag: ["失効", "revoked"],
  revoked: (when: string) => [`${when}に失効`, `Revoked ${when}`],
  limits: ["上限", "Limits"],
  aMinute: (count: string) => [`1分 ${count} 回`, `${count} a minute`],
  aDay: (count: string) => [`1日 ${count} 回`, `${count} a day`],
  createdAt: ["作成", "Created"],
  lastUsed: ["最後に使った日", "Last used"],
  never: ["まだ使われていません", "never"],
  revoke: ["失効させる", "Revoke"],
  confirm: ["本当に失効させる（元に戻せません）", "Really revoke, for ever"],
  use: ["最近の利用", "Recent use"],
  useEmpty: ["最近の利用はありません。", "There was no recent use."],
  useLead: (days: string) => [
    `この${days}日間。全期間はSQLの analytics.api_usage にあります。`,
    `The last ${days} days. All days are in SQL: analytics.api_usage.`,
  ],
  key: ["キー", "Key"],
  withoutKey: ["キーなし", "without a key"],
  requests: ["リクエスト", "Requests"],
  errors: ["うちエラー", "Of these, errors"],
  limited: ["上限で拒否", "Refused by limit"],
  otherOrigin: ["別オリジンで拒否", "Refused by origin"],
  faults: {
    name: [
      "1〜100文字で、制御文字は使えません。",
      "must have 1 to 100 characters and no control characters",
    ],
    limit: [
      "1 から 1,000,000,000 までの整数にするか、空にしてください。",
      "must be a whole number from 1 to 1,000,000,000, or empty",
    ],
    origin: (typed: string) => [
      `「${typed}」は使えません。https://shop.example のように、スキーム、ホスト、ポートだけを書いてください。`,
      `“${typed}” must be scheme, host and port only, as in https://shop.example`,
    ],
    origins: ["20個までです。", "may be at most 20"],
  },
} satisfies Texts;
