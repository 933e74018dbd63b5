import type { Texts } from "../../shared/messages/in-language.ts";

/** Texts about today: the use of calls, and freshness. */
export const today = {
  budget: {
    title: ["今日の呼び出し枠", "Today's calls"],
    used: ["使用", "Used"],
    of: (limit: string) => [`上限 ${limit}`, `of ${limit}`],
    left: ["残り", "Left"],
    chart: ["残りの呼び出し回数の推移", "Calls left over the day"],
    describe: (left: string, time: string) => [
      `${time} 時点で残り ${left} 回`,
      `${left} calls left at ${time}`,
    ],
    actual: ["残り", "Left"],
    pace: ["均等なペース", "Even pace"],
    forecast: ["予測（直近1時間のまま）", "Forecast, as in the last hour"],
    ahead: (calls: string) => [
      `均等なペースより ${calls} 回多く使っています。`,
      `${calls} calls more than at an even pace.`,
    ],
    behind: (calls: string) => [
      `均等なペースより ${calls} 回少なく使っています。`,
      `${calls} calls fewer than at an even pace.`,
    ],
    even: ["均等なペースどおりです。", "At an even pace."],
    spentAt: (time: string) => [
      `このままでは ${time} に使い切ります。`,
      `At this rate they are used up at ${time}.`,
    ],
    leftAtEnd: (calls: string) => [
      `このままでは ${calls} 回を残して一日が終わります。`,
      `At this rate ${calls} will be left when the day ends.`,
    ],
    resets: (time: string, zone: string) => [
      `次の更新 ${time}（${zone}）`,
      `Resets ${time} (${zone})`,
    ],
    refused: (time: string) => [
      `上流が ${time} に今日の上限を通知しました。明日まで呼び出しません。`,
      `The upstream closed the day at ${time}. No more calls until tomorrow.`,
    ],
    time: ["時刻", "Time"],
    account: ["アカウント", "Account"],
    limit: ["上限", "Limit"],
    accountState: ["状態", "State"],
    accountPaused: (time: string, reason: string) => [
      `拒否されています。次の試行は ${time}: ${reason}`,
      `Refused, next try ${time}: ${reason}`,
    ],
    accountRefused: (time: string) => [
      `上流が ${time} に今日の上限を通知しました`,
      `Closed by the upstream at ${time}`,
    ],
  },
  purchases: {
    title: ["使い道と成果", "Use of today's calls"],
    empty: ["今日はまだ呼び出していません。", "No call yet today."],
    purpose: ["目的", "Purpose"],
    purposes: {
      discovery: ["発見", "Discovery"],
      revalidation: ["再確認", "Revalidation"],
      on_demand: ["利用者の依頼", "On demand"],
    },
    job: ["ジョブ", "Job"],
    calls: ["呼び出し", "Calls"],
    failed: ["失敗", "Failed"],
    created: ["新商品", "New"],
    changed: ["変化", "Changed"],
    unchanged: ["変化なし", "Unchanged"],
    gone: ["消滅", "Deleted"],
    quarantined: ["隔離", "Quarantined"],
    news: ["1回あたりの成果", "Yield per call"],
    newsHint: ["成果 = 新商品 + 変化 + 消滅", "Yield = new + changed + deleted"],
  },
  days: {
    title: ["日ごとの呼び出し", "Calls by day"],
    day: ["日", "Day"],
    refused: ["上流が打ち切り", "Closed by the upstream"],
  },
  fresh: {
    title: ["鮮度", "Freshness"],
    share: ["一致の見込み", "Expected to be right"],
    shareHint: [
      "保存した商品が今も上流と等しい割合の見込み（重要度で加重）",
      "Expected share of stored products that equal the upstream now, weighted by importance",
    ],
    median: ["確認からの時間（中央値）", "Age of a check, median"],
    p95: ["同 95%", "Age of a check, 95%"],
    products: ["商品", "Products"],
    now: ["確認からの時間", "Time since the last check"],
    upTo: (duration: string) => [`${duration}以内`, `within ${duration}`],
    older: ["それ以上", "longer ago"],
    over: ["24時間以内に確認した割合の推移", "Share checked within 24 hours, by day"],
    overShort: ["24時間以内に確認", "Checked within 24 h"],
    empty: ["まだ商品がありません。", "No products yet."],
  },
} satisfies Texts;
