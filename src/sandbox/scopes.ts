/** Section 5.2: what each scope grants, in the words of the service and of the sign-in page. */
export const scopeTable = {
  read_users: {
    grants: "read shop information (granted by default)",
    japanese: "ショップ情報を見る",
  },
  read_users_mail: { grants: "read the shop's e-mail address", japanese: "メールアドレスを見る" },
  read_items: { grants: "read products", japanese: "商品を見る" },
  read_orders: { grants: "read orders", japanese: "注文を見る" },
  read_savings: { grants: "read payout requests", japanese: "引き出し申請を見る" },
  write_items: { grants: "update products", japanese: "商品を変更する" },
  write_orders: { grants: "update orders", japanese: "注文を変更する" },
} as const;

export type Scope = keyof typeof scopeTable;
// Safe: the table has no other keys.
export const scopes = Object.keys(scopeTable) as readonly Scope[];

/** Reads a space-separated list (RFC 6749 section 3.3) and adds `read_users`; null for an unknown scope. */
export function parseScopes(text: string): Scope[] | null {
  const names = text.split(" ").filter((name) => name !== "");
  const known = scopes.filter((scope) => scope === "read_users" || names.includes(scope));
  return names.every((name) => scopes.some((scope) => scope === name)) ? known : null;
}
