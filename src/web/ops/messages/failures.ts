/** Texts about failures over time. */
export const failuresJa = {
  title: "失敗した呼び出しの推移",
  range: "期間",
  ranges: { day: "24時間", week: "7日", month: "30日" },
  none: "この期間に失敗はありません。",
  describe: (total: string) => `この期間に ${total} 回`,
  when: "時期",
  calls: "呼び出し",
  failed: "失敗",
};

export const failuresEn: typeof failuresJa = {
  title: "Failed calls over time",
  range: "Range",
  ranges: { day: "24 hours", week: "7 days", month: "30 days" },
  none: "No call failed in this time.",
  describe: (total) => `${total} in this time`,
  when: "When",
  calls: "Calls",
  failed: "Failed",
};
