import type { Expected, Reason } from "../../../crawl/scoring/reason.ts";
import type { Warning } from "../../../crawl/plan-warnings.ts";
import type { CronFault } from "../../../lib/cron-fault.ts";

const sources = {
  seed: "初期設定",
  ops: "運用",
  zero_results: "提案：結果なしの検索",
  split: "提案：分割",
  category: "提案：カテゴリ",
  word: "提案：商品名の語",
  shop: "提案：ショップ",
};

const keywordStates = {
  active: "使用中",
  trial: "試行中",
  backing_off: "休止中",
  paused: "停止中",
};

const sourceNames = new Map<string, string>(Object.entries(sources));

/** Japanese texts about the crawler's work: jobs, keywords and the next calls. */
export const crawlJa = {
  schedule: {
    title: "スケジュール",
    lead: (zone: string) => `時刻はすべて ${zone} です。式は「分 時 日 月 曜日」の5項目です。`,
    jobs: {
      discover: "新しい商品を探す",
      feed: "更新された商品を追う",
      revalidate: "商品を再確認する",
      "verify-mirror": "索引とデータベースの一致を確かめる",
      housekeeping: "集計と古い記録の整理",
      "public-exports": "全商品の写しを公開する（PUBLIC_EXPORTS が on のとき）",
    },
    cron: "cron 式",
    enabled: "有効",
    settings: "設定",
    settingNames: {
      weight: "重み（他のジョブとの比較）",
      window_minutes: "一回の長さ（分）",
      rewalk_hours: "全ページを歩き直す間隔（時間）",
      trials: "規則ごとに試す提案の数",
      max_age_days: "どの商品も確認する間隔（日）",
      target_hours: "目標：この時間以内に確認する（時間、0は目標なし）",
      target_weight: "目標の対象：この重み以上の商品",
      gone_weight: "削除済み商品の表示を古い価格の何倍に数えるか",
      on_demand_share: "利用者の依頼に残す割合（0〜0.5）",
      keep_calls_days: "呼び出し記録を残す日数",
      keep_runs_days: "実行記録を残す日数",
      keep_confirmations_months: "確認記録を残す月数",
      keep_changes_days: "すべての変更を残す日数",
      keep_history_months: "履歴と呼び出し記録をデータベースに残す月数",
      match_precision: "同一商品のつながりに求める正しさ（0.5～1）",
      keep_snapshots: "残す公開コピーの数",
    },
    range: (min: string, max: string) => `${min}〜${max}`,
    next: "次の実行",
    nextDraft: "この式での次の実行",
    disabled: "無効のため実行しません",
    last: "前回",
    never: "まだありません",
    running: "実行中",
    since: (time: string) => `${time} から`,
    outcomes: { done: "完了", failed: "失敗", stopped: "中止" },
    check: "式を確かめる",
    save: "保存",
    run: "今すぐ実行",
    stop: "中止",
    badCron: "この式は使えません：",
    cronFault,
  },
  keywords: {
    title: "キーワード",
    add: "キーワードを追加",
    word: "キーワード",
    shop: "ショップID（任意）",
    shopHint: "空欄ならすべてのショップ",
    many: "まとめて追加",
    manyHint: "キーワード（1行に1つ、500行まで）",
    manyButton: "すべて追加",
    ticked: "選んだキーワードを",
    tickSome: "キーワードを一つ以上選んでください",
    tick: (q: string) => `${q} を選ぶ`,
    button: "追加",
    filter: "絞り込み",
    show: "表示",
    list: "キーワードの一覧",
    empty: "該当するキーワードはありません。",
    count: (shown: string, all: string) => `${all} 件中 ${shown} 件`,
    states: keywordStates,
    sources,
    inShop: (shop: string) => `ショップ ${shop} 内`,
    found: "保有 / 上流の件数",
    calls: "呼び出し",
    created: "新商品",
    yield: "1回あたりの新商品",
    seen: "最後に見た",
    never: "まだ",
    pause: "停止",
    resume: "再開",
    remove: "削除",
    confirm: "本当に削除する",
    error: "前回の失敗",
    previous: "前へ",
    next: "次へ",
    pages: "ページ",
    zeroResults: {
      title: "見つからなかった検索",
      lead: "3人以上が検索して結果がなかった言葉です。枠の範囲で自動的にキーワードとして提案されます。検索した人の情報は残しません。",
      empty: "3人以上が検索して結果がなかった言葉は、まだありません。",
      visitors: "人数（日ごとの合計）",
      times: "回数",
      last: "最後の検索",
      waiting: "提案待ち",
      states: { ...keywordStates, removed: "削除済み" },
    },
  },
  plan: {
    title: "計画",
    lead: "ここを見ても呼び出しは使いません。",
    whatIf: "もし枠が変わったら",
    callsPerDay: "一日の呼び出し回数",
    maxAgeDays: "どの商品も確認する間隔（日）",
    ask: "試算する",
    now: "今の見込み",
    present: "今の設定で長期的に",
    whatIfLongRun: "試算で長期的に",
    points: (value: string) => `${value} ポイント`,
    bound: "どの商品も確認される間隔",
    promise: "再確認の約束（95%）",
    share: (percent: string) => `重要な上位 ${percent}`,
    all: "すべて",
    within: (hours: string) => `${hours}以内`,
    curve: "一日の回数と長期的な鮮度",
    curveDescribe: (calls: string, share: string) => `一日 ${calls} 回で ${share}`,
    freshness: "長期的な鮮度",
    empty: "まだ商品がないため試算できません。",
    maxAgeExceeded: (floor: string, bound: string) =>
      `${floor} ごとの確認は守れません。どの商品も ${bound} 以内の確認になります。`,
    next: "次の呼び出し",
    nextEmpty: "今すぐ価値のある呼び出しはありません。",
    what: "内容",
    why: "理由",
    reason,
    warning,
    value: "価値",
    forecasts: {
      title: "先週までの予測",
      lead: (held: string, all: string) =>
        `商品の変化の予測 ${all} 件のうち ${held} 件が範囲内でした。8割が範囲内に入るはずです。`,
      none: "一週間たった予測はまだありません。",
      day: "予測した日",
      chance: "変わる見込み",
      products: "商品",
      expected: "予測した変化",
      changed: "実際の変化",
      held: "範囲内",
      yes: "はい",
      no: "いいえ",
    },
    worthHint: "1回で得られる鮮度（重み×日）",
    due: "予定どおり",
    search: "検索",
    refresh: "再確認",
    items: (count: string) => `${count} 商品`,
  },
};

function reason(why: Reason): string {
  switch (why.code) {
    case "full_scan":
      return `「${why.q}」${inShop(why.shopId)}を順に見る（開始位置 ${why.start}）`;
    case "trial":
      return `「${why.q}」${inShop(why.shopId)}の最初のページを試す（${sourceNames.get(why.source) ?? why.source}）`;
    case "newest_changes":
      return `「${why.q}」の最近の更新（開始位置 ${why.start}）`;
    case "newest_ids":
      return `「${why.q}」の新しい商品（開始位置 ${why.start}）`;
    case "most_ordered":
      return `「${why.q}」の人気順（開始位置 ${why.start}、${why.expected} 商品の見込み）`;
    case "overdue":
      return `${why.shopId} の ${why.overdue} 商品を ${why.days.toFixed(1)} 日確認していない。ほか ${why.others} 商品`;
    case "worthwhile":
      return `${why.shopId} の ${why.products} 商品、価値 ${why.value.toPrecision(3)}${withFirst(why.first)}`;
    case "pass":
      return `全商品の見直し：${why.shopId} の ${why.products} 商品`;
    case "second_check":
      return `すべて消えたように見える ${why.shopId} の ${why.products} 商品の見直し`;
    case "failed_together":
      return `失敗した呼び出しの半分：${why.shopId} の ${why.products} 商品`;
    case "failed_alone":
      return `含めると呼び出しが失敗する ${why.shopId} の商品 ${why.itemId} だけの確認`;
    case "on_demand":
      return `利用者が依頼した ${why.shopId} の ${why.asked} 商品。ほか ${why.others} 商品`;
  }
}

function withFirst(first: Expected | null): string {
  if (first === null) return "";
  return `。商品 ${first.itemId} は一日 ${first.changesPerDay.toPrecision(2)} 回の変化の見込み`;
}

function inShop(shopId: string | null): string {
  return shopId === null ? "" : `（ショップ ${shopId} 内）`;
}

function warning(what: Warning): string {
  switch (what.code) {
    case "ended_early":
      return `上流は ${what.day} を ${what.allowed} 回で打ち切りました。それより多い日があるまで、一日 ${what.callsPerDay} 回として計画します。`;
    case "windows_too_short":
      return `ジョブが動く時間には、一日 ${what.callsPerDay} 回のうち ${what.reachable} 回しか呼び出せません。一回の長さを延ばしてください。`;
    case "max_age_exceeded":
      return `${what.maxAgeDays} 日ごとの確認は守れません。どの商品も ${what.boundDays.toFixed(1)} 日以内の確認になります。`;
    case "target_unreachable":
      return `${target(what.target)}は、何回呼び出しても届きません。`;
    case "target_missed":
      return `${target(what.target)}には、一日あと ${what.missing} 回必要です。`;
  }
}

function target({ minWeight, hours }: { minWeight: number; hours: number }): string {
  return `目標（重み ${minWeight} 以上を 95% で ${hours} 時間以内）`;
}

const cronFields = new Map([
  ["minute", "分"],
  ["hour", "時"],
  ["dayOfMonth", "日"],
  ["month", "月"],
  ["dayOfWeek", "曜日"],
]);

function cronFault(fault: CronFault): string {
  switch (fault.code) {
    case "fields":
      return `「${fault.expression}」は ${fault.found} 項目です。「分 時 日 月 曜日」の5項目で書いてください。`;
    case "values":
      return fault.faults
        .map(({ field, value }) => `${cronFields.get(field) ?? "式"}に「${value}」は使えません。`)
        .join("");
    case "both_days":
      return "日と曜日は同時に指定できません。どちらかを * にしてください。";
    case "never":
      return "この式の時刻は来ません。";
  }
}
