import { toWarningText, type Warning } from "../../../crawl/plan-report.ts";
import {
  toFigure,
  toReasonText,
  type Expected,
  type Reason,
} from "../../../crawl/scoring/reason.ts";
import { toJapanese } from "../../../api/http/problems/problem-language.ts";
import { toCronFaultText, type CronFault } from "../../../crawl/budget/cron-fault.ts";
import { createTranslator } from "../../../lib/translator.ts";
import type { Texts } from "../../shared/messages/in-language.ts";

/** The reasons of `toCandidates`, in English and Japanese. */
const proposalReasonsJa: Readonly<Record<string, string>> = {
  "searched by {n} visitors without results": "{n}人が検索しましたが、結果がありませんでした",
  "category of {n} of {all} products drawn": "抽出した{all}商品のうち{n}商品のカテゴリーです",
  "in the titles of {n} of {all} products drawn":
    "抽出した{all}商品のうち{n}商品の名前に含まれています",
  "its shop has {n} of {all} products drawn":
    "抽出した{all}商品のうち{n}商品がこのショップのものです",
  '"{q}" is cut off at {end} of {found}': "「{q}」は{found}件のうち{end}件までしか見られません",
};

const toJapaneseReason = createTranslator(proposalReasonsJa);

const keywordStates = {
  active: ["使用中", "In use"],
  trial: ["試行中", "On trial"],
  backing_off: ["休止中", "Resting"],
  paused: ["停止中", "Paused"],
} satisfies Texts;

const sources = {
  seed: ["初期設定", "seed"],
  ops: ["運用", "ops"],
  zero_results: ["提案：結果なしの検索", "proposed: search without results"],
  split: ["提案：分割", "proposed: split"],
  category: ["提案：カテゴリ", "proposed: category"],
  word: ["提案：商品名の語", "proposed: word of titles"],
  shop: ["提案：ショップ", "proposed: shop"],
} satisfies Texts;

const sourceNames = new Map(Object.entries(sources));

/** Texts about the crawler's work: jobs, keywords and the next calls. */
export const crawl = {
  schedule: {
    lead: (zone: string) => [
      `時刻はすべて ${zone} です。式は「分 時 日 月 曜日」の5項目です。`,
      `All times are those of ${zone}. Expressions have five fields: minute, hour, day of month, month, day of week.`,
    ],
    jobs: {
      discover: ["新しい商品を探す", "Looks for new products"],
      feed: ["更新された商品を追う", "Follows products that changed"],
      revalidate: ["商品を再確認する", "Checks known products again"],
      "verify-mirror": [
        "索引とデータベースの一致を確かめる",
        "Checks that index and database are equal",
      ],
      housekeeping: ["集計と古い記録の整理", "Sums up and deletes old records"],
      "public-exports": [
        "全商品の写しを公開する（PUBLIC_EXPORTS が on のとき）",
        "Publishes a copy of all products, where PUBLIC_EXPORTS is on",
      ],
    },
    cron: ["cron 式", "Cron expression"],
    enabled: ["有効", "Enabled"],
    settings: ["設定", "Settings"],
    settingNames: {
      weight: ["重み（他のジョブとの比較）", "Weight against other jobs"],
      window_minutes: ["一回の長さ（分）", "Length of a run (minutes)"],
      rewalk_hours: ["全ページを歩き直す間隔（時間）", "All pages again after (hours)"],
      trials: ["規則ごとに試す提案の数", "Proposals on trial, by rule"],
      max_age_days: ["どの商品も確認する間隔（日）", "Every product checked within (days)"],
      target_hours: [
        "目標：この時間以内に確認する（時間、0は目標なし）",
        "Target: checked within (hours; 0: none)",
      ],
      target_weight: [
        "目標の対象：この重み以上の商品",
        "Target: for products of this weight and more",
      ],
      gone_weight: [
        "削除済み商品の表示を古い価格の何倍に数えるか",
        "A deleted product shown counts as so many old prices",
      ],
      on_demand_share: [
        "利用者の依頼に残す割合（0〜0.5）",
        "Share kept for users' requests (0–0.5)",
      ],
      keep_calls_days: ["呼び出し記録を残す日数", "Keep calls for (days)"],
      keep_runs_days: ["実行記録を残す日数", "Keep runs for (days)"],
      keep_confirmations_months: ["確認記録を残す月数", "Keep confirmations for (months)"],
      keep_changes_days: ["すべての変更を残す日数", "Keep every change for (days)"],
      keep_history_months: [
        "履歴と呼び出し記録をデータベースに残す月数",
        "Keep history and calls in the database for (months)",
      ],
      match_precision: [
        "同一商品のつながりに求める正しさ（0.5～1）",
        "Least share of right matches in a category (0.5 to 1)",
      ],
      keep_snapshots: ["残す公開コピーの数", "Published copies to keep"],
    },
    range: (min: string, max: string) => [`${min}〜${max}`, `${min} to ${max}`],
    next: ["次の実行", "Next runs"],
    nextDraft: ["この式での次の実行", "Next runs with this expression"],
    disabled: ["無効のため実行しません", "Disabled: it does not run"],
    last: ["前回", "Last run"],
    never: ["まだありません", "none yet"],
    running: ["実行中", "Running"],
    since: (time: string) => [`${time} から`, `since ${time}`],
    outcomes: {
      done: ["完了", "done"],
      failed: ["失敗", "failed"],
      stopped: ["中止", "stopped"],
    },
    check: ["式を確かめる", "Check expression"],
    save: ["保存", "Save"],
    run: ["今すぐ実行", "Run now"],
    stop: ["中止", "Stop"],
    badCron: ["この式は使えません：", "This expression is not valid:"],
    cronFault: (fault: CronFault) => {
      const why = toCronFaultText(fault);
      return [toJapanese(why) ?? why, why];
    },
  },
  keywords: {
    /** Why a keyword was proposed; `why` is the text of `toCandidates`. */
    reason: (why: string) => [toJapaneseReason(why) ?? why, why],
    add: ["キーワードを追加", "Add a keyword"],
    word: ["キーワード", "Keyword"],
    shop: ["ショップID（任意）", "Shop id (optional)"],
    shopHint: ["空欄ならすべてのショップ", "Empty: all shops"],
    many: ["まとめて追加", "Add many"],
    manyHint: ["キーワード（1行に1つ、500行まで）", "Keywords (one a line, at most 500)"],
    manyButton: ["すべて追加", "Add all"],
    line: (number: string) => [`${number}行目`, `Line ${number}`],
    ticked: ["選んだキーワードを", "The ticked ones:"],
    tickSome: ["キーワードを一つ以上選んでください", "select at least one keyword"],
    tick: (q: string) => [`${q} を選ぶ`, `Tick ${q}`],
    button: ["追加", "Add"],
    filter: ["絞り込み", "Filter"],
    show: ["表示", "Show"],
    list: ["キーワードの一覧", "List of keywords"],
    empty: ["該当するキーワードはありません。", "No such keyword."],
    count: (shown: string, all: string) => [`${all} 件中 ${shown} 件`, `${shown} of ${all}`],
    states: keywordStates,
    sources,
    inShop: (shop: string) => [`ショップ ${shop} 内`, `in shop ${shop}`],
    found: ["保有 / 上流の件数", "Held / upstream"],
    calls: ["呼び出し", "Calls"],
    created: ["新商品", "New products"],
    yield: ["1回あたりの新商品", "New per call"],
    seen: ["最後に見た", "Last checked"],
    never: ["まだ", "never"],
    pause: ["停止", "Pause"],
    resume: ["再開", "Resume"],
    remove: ["削除", "Remove"],
    confirm: ["本当に削除する", "Really remove"],
    error: ["前回の失敗", "Last failure"],
    zeroResults: {
      title: ["見つからなかった検索", "Searches without results"],
      lead: [
        "3人以上が検索して結果がなかった言葉です。枠の範囲で自動的にキーワードとして提案されます。検索した人の情報は残しません。",
        "What at least 3 visitors searched for and did not find. It is proposed as a keyword by itself, within the budget. Nothing about the visitors is kept.",
      ],
      empty: [
        "3人以上が検索して結果がなかった言葉は、まだありません。",
        "Nothing yet that at least 3 visitors searched for and did not find.",
      ],
      visitors: ["人数（日ごとの合計）", "Visitors (sum of days)"],
      times: ["回数", "Times"],
      last: ["最後の検索", "Last search"],
      waiting: ["提案待ち", "To be proposed"],
      states: { ...keywordStates, removed: ["削除済み", "Removed"] },
    },
  },
  plan: {
    lead: ["ここを見ても呼び出しは使いません。", "This page spends no calls."],
    whatIf: ["もし枠が変わったら", "What if the budget changes"],
    callsPerDay: ["一日の呼び出し回数", "Calls a day"],
    maxAgeDays: ["どの商品も確認する間隔（日）", "Every product checked within (days)"],
    ask: ["試算する", "Calculate"],
    now: ["今の見込み", "Expected right now"],
    present: ["今の設定で長期的に", "In the long run, present budget"],
    whatIfLongRun: ["試算で長期的に", "In the long run, what-if"],
    points: (value: string) => [`${value} ポイント`, `${value} points`],
    bound: ["どの商品も確認される間隔", "Every product is checked within"],
    promise: ["再確認の約束（95%）", "Checked again within, at 95%"],
    share: (percent: string) => [`重要な上位 ${percent}`, `Most important ${percent}`],
    within: (hours: string) => [`${hours}以内`, hours],
    curve: ["一日の回数と長期的な鮮度", "Freshness in the long run, by calls a day"],
    curveDescribe: (calls: string, share: string) => [
      `一日 ${calls} 回で ${share}`,
      `${share} with ${calls} calls a day`,
    ],
    freshness: ["長期的な鮮度", "Freshness in the long run"],
    empty: [
      "まだ商品がないため試算できません。",
      "Nothing is stored yet, so there is no forecast.",
    ],
    maxAgeExceeded: (floor: string, bound: string) => [
      `${floor} ごとの確認は守れません。どの商品も ${bound} 以内の確認になります。`,
      `A check every ${floor} cannot be kept: every product is checked within ${bound}.`,
    ],
    next: ["次の呼び出し", "The next calls"],
    nextEmpty: ["今すぐ価値のある呼び出しはありません。", "No call is worth making right now."],
    what: ["内容", "What"],
    why: ["理由", "Why"],
    reason: (why: Reason) => [reason(why), toReasonText(why)],
    warning: (what: Warning) => [warning(what), toWarningText(what)],
    value: ["価値", "Value"],
    forecasts: {
      title: ["先週までの予測", "Forecasts of past weeks"],
      lead: (held: string, all: string) => [
        `商品の変化の予測 ${all} 件のうち ${held} 件が範囲内でした。8割が範囲内に入るはずです。`,
        `Of ${all} forecasts of changes, ${held} held. Four out of five are expected to.`,
      ],
      none: ["一週間たった予測はまだありません。", "No forecast is a week old yet."],
      day: ["予測した日", "Made on"],
      chance: ["変わる見込み", "Expected to change"],
      products: ["商品", "Products"],
      expected: ["予測した変化", "Changes expected"],
      changed: ["実際の変化", "Changes seen"],
      held: ["範囲内", "Held"],
      yes: ["はい", "yes"],
      no: ["いいえ", "no"],
    },
    worthHint: ["1回で得られる鮮度（重み×日）", "Freshness that one call gains, in weight-days"],
    due: ["予定どおり", "due"],
    search: ["検索", "Search"],
    refresh: ["再確認", "Refresh"],
    items: (count: string) => [`${count} 商品`, `${count} products`],
  },
} satisfies Texts;

function reason(why: Reason): string {
  switch (why.code) {
    case "full_scan":
      return `「${why.q}」${inShop(why.shopId)}を順に見る（開始位置 ${why.start}）`;
    case "trial":
      return `「${why.q}」${inShop(why.shopId)}の最初のページを試す（${sourceNames.get(why.source)?.[0] ?? why.source}）`;
    case "newest_changes":
      return `「${why.q}」の最近の更新（開始位置 ${why.start}）`;
    case "newest_ids":
      return `「${why.q}」の新しい商品（開始位置 ${why.start}）`;
    case "most_ordered":
      return `「${why.q}」の人気順（開始位置 ${why.start}、${why.expected} 商品の見込み）`;
    case "overdue":
      return `${why.shopId} の ${why.overdue} 商品を ${why.days.toFixed(1)} 日確認していない。ほか ${why.others} 商品`;
    case "worthwhile":
      return `${why.shopId} の ${why.products} 商品、価値 ${toFigure(why.value)}${withFirst(why.first)}`;
    case "pass":
      return `全商品の見直し：${why.shopId} の ${why.products} 商品`;
    case "second_check":
      return `すべて消えたように見える ${why.shopId} の ${why.products} 商品の見直し`;
    case "returned":
      return `ほかの商品とともに戻ったかもしれない ${why.shopId} の ${why.products} 商品と、ほかの ${why.others} 商品`;
    case "failed_together":
      return `失敗した呼び出しの半分：${why.shopId} の ${why.products} 商品`;
    case "failed_alone":
      return `含めると呼び出しが失敗する ${why.shopId} の商品 ${why.itemId} だけの確認`;
    case "unreadable":
      return `${why.shopId} の商品がまた読み取れるかどうか、商品 ${why.itemId} で確認`;
    case "on_demand":
      return `利用者が依頼した ${why.shopId} の ${why.asked} 商品。ほか ${why.others} 商品`;
  }
}

function withFirst(first: Expected | null): string {
  if (first === null) return "";
  return `。商品 ${first.itemId} は一日 ${toFigure(first.changesPerDay)} 回の変化の見込み`;
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
