import { inLanguage, type InLanguage, type Texts } from "../../shared/messages/in-language.ts";
import { calls } from "./calls.ts";
import { crawl } from "./crawl.ts";
import { keys } from "./keys.ts";
import { matches } from "./matches.ts";
import { mirror } from "./mirror.ts";
import { today } from "./today.ts";
import { webhooks } from "./webhooks.ts";

/** Every text of the console. */
const texts = {
  title: ["運用コンソール", "Ops console"],
  nav: ["コンソールのページ", "Pages of the console"],
  tabs: {
    today: ["今日", "Today"],
    schedule: ["スケジュール", "Schedule"],
    keywords: ["キーワード", "Keywords"],
    plan: ["計画", "Plan"],
    calls: ["呼び出し", "Calls"],
    backoffs: ["再試行待ち", "Backing off"],
    clicks: ["クリック", "Clicks"],
    matches: ["同一商品", "Matches"],
    mirror: ["索引と隔離", "Index & quarantine"],
    webhooks: ["Webhook", "Webhooks"],
    keys: ["APIキー", "API keys"],
    audit: ["操作の記録", "Audit log"],
  },
  ranges: {
    label: ["期間", "Time range"],
    names: {
      fortnight: ["2週間", "2 weeks"],
      month: ["30日", "30 days"],
      quarter: ["90日", "90 days"],
    },
  },
  signOut: ["サインアウト", "Sign out"],
  reader: ["閲覧のみ", "read only"],
  action: ["操作", "Action"],
  tryAgain: ["もう一度開く", "Try again"],
  live: {
    on: ["自動更新中", "Live"],
    lost: ["更新できません。再接続しています", "Not updating; trying again"],
    stopped: ["更新を止めています", "Stopped"],
    follow: ["自動で更新する", "Update by itself"],
  },
  signIn: {
    title: ["コンソールにサインイン", "Sign in to the console"],
    token: ["運用トークン", "Ops token"],
    hint: [
      "環境変数 OPS_TOKEN または OPS_TOKENS のトークンです。設定していなければ、初回起動時に作られ DATA_DIR の ops-token ファイルにあります。",
      "The value of OPS_TOKEN, or your token of OPS_TOKENS. If OPS_TOKEN is not set, the first start created a token in the file ops-token of DATA_DIR.",
    ],
    button: ["サインイン", "Sign in"],
    wrong: ["トークンが違います。", "This is not the token."],
    wait: [
      "間違いが続いたため、しばらく受け付けません。",
      "Too many wrong tokens. Please wait a while.",
    ],
    noCookie: [
      "ブラウザがサインインを保存しませんでした。https または localhost で開いてください。",
      "Your browser did not keep the sign-in. Open the console over https or from localhost.",
    ],
    ended: [
      "サインインの期限が切れたため、何も変更していません。サインインしてから、もう一度送信してください。",
      "You are not signed in any more, so nothing was changed. Sign in, then send the form again.",
    ],
    elsewhere: ["すでにサインインしている場合", "Signed in already?"],
    goOn: ["コンソールへ進む", "Continue to the console"],
  },
  state: {
    title: ["クローラーの状態", "State of the crawler"],
    running: ["稼働中", "Crawling"],
    paused: ["運用が一時停止中", "Paused by ops"],
    blocked: (until: string, code: string, failures: string) => [
      `${until} まで待機中（${code}、連続${failures}回）`,
      `Waiting until ${until} (${code}, ${failures} in a row)`,
    ],
    pause: ["一時停止", "Pause"],
    resume: ["再開", "Resume"],
    believe: ["上流を信じて再開", "Accept and resume"],
  },
  done: {
    paused: [
      "クローラーを一時停止しました。APIは動き続けます。",
      "The crawler is paused. The API keeps running.",
    ],
    resumed: ["クローラーを再開しました。", "The crawler is running again."],
    job_saved: ["保存しました。", "Saved."],
    job_started: ["実行を始めました。", "The run has been started."],
    run_stopped: [
      "実行を中止しました。進行中の呼び出しだけは最後まで行います。",
      "The run has been stopped. Calls that were already sent are finished.",
    ],
    backoff_retried: ["待たずに再試行できるようにしました。", "The next call may request it."],
    keyword_added: ["キーワードを追加しました。", "The keyword has been added."],
    keyword_paused: ["キーワードを停止しました。", "The keyword is paused."],
    keyword_resumed: ["キーワードを再開しました。", "The keyword is in use again."],
    keyword_removed: [
      "キーワードを削除しました。見つけた商品は残ります。",
      "The keyword has been removed. Its products stay.",
    ],
    keywords_added: [
      "追加しました。すでにあるキーワードはそのままです。",
      "Added. Keywords that were there already are left as they are.",
    ],
    keywords_changed: ["選んだキーワードを変更しました。", "The ticked keywords are changed."],
    proof_started: ["照合を始めました。", "The consistency check has been started."],
    rebuild_started: ["新しい索引の作成を始めました。", "A new index is being built."],
    key_revoked: [
      "キーを失効させました。ほかのプロセスでも数秒で使えなくなります。",
      "The key is revoked; other processes refuse it within seconds.",
    ],
    deletions_released: ["保留中の削除を確定しました。", "The deletions have taken effect."],
    deletions_discarded: [
      "保留中の削除を取り消しました。",
      "The products are kept and will be checked again.",
    ],
    match_decided: [
      "決定しました。数秒でまとまりに反映されます。下の表から取り消せます。",
      "Decided. Groups follow within seconds. You can undo it in the table below.",
    ],
    match_undone: ["決定を取り消しました。", "The decision is undone."],
    quarantine_rechecked: [
      "商品を今すぐ確認します。まだ見つかっていない商品は、検索だけで見つかります。",
      "Their products are checked at once. Those never seen are found by searches alone.",
    ],
    quarantine_dropped: ["隔離から消しました。", "Dropped."],
    documents_resent: ["もう一度送ります。", "They are sent again."],
    messages_replayed: [
      "送り直します。有効な送り先の分だけです。",
      "They are sent again, as far as their webhooks are enabled.",
    ],
  },
  refused: {
    lead: ["変更していません：", "Nothing was changed:"],
    job_changed: [
      "ほかの人が同じ項目を先に変更しました。フォームの値は現在のものです。",
      "somebody has changed the same of this job meanwhile: the form shows how it is now.",
    ],
    decision_stands: [
      "この2つの商品については、ほかの人がすでに別の決定をしました。下の表にあります。",
      "somebody has decided otherwise about these two products meanwhile: see the table below.",
    ],
    key_not_found: ["このキーはもう有効ではありません。", "this key is revoked already."],
    csrf_mismatch: [
      "フォームが期限切れか、このサイトのものではありませんでした。確かめてから、もう一度送ってください。",
      "the form was too old or not from this site. Look at it and send it again.",
    ],
    session_ended: [
      "送ったときには、サインインの期限が切れていました。確かめてから、もう一度送ってください。",
      "you were not signed in any more when you sent it. Look at it and send it again.",
    ],
    role_required: [
      "閲覧のみの権限です。変更には operate のトークンが必要です。",
      "your token may only read; changes need one with the role operate.",
    ],
    nothing_left: ["選んだものはもうありません。", "what was chosen is not there any more."],
    nothing_to_replay: [
      "送り直せるものがありません。すでに送信待ちか、送り先が無効か停止中です。",
      "there is no such message, it waits to be sent already, or its webhook is disabled or paused.",
    ],
  },
  audit: {
    lead: [
      "書き換えも削除もできない記録です。新しい順。失敗したサインインは1プロセスで1分に5件まで。",
      "Entries cannot be changed or deleted. Newest first. Failed sign-ins: at most 5 a minute of each process.",
    ],
    empty: ["該当する操作はありません。", "No such action."],
    operator: ["操作者", "Operator"],
    address: ["アドレス", "Address"],
    at: ["時刻", "Time"],
    via: ["経路", "By"],
    vias: {
      api: ["API", "API"],
      console: ["コンソール", "Console"],
    },
    detail: ["内容", "Detail"],
    outcome: ["結果", "Outcome"],
    done: ["実行", "done"],
    refused: ["拒否", "refused"],
    request: ["リクエスト", "Request"],
    actions: {
      sign_in: ["サインイン", "Sign in"],
      sign_out: ["サインアウト", "Sign out"],
      change_job: ["ジョブの変更", "Change job"],
      run_job: ["ジョブの実行", "Run job"],
      stop_job: ["ジョブの中止", "Stop job"],
      retry_backoff: ["待たずに再試行", "Retry now"],
      add_query: ["キーワードの追加", "Add keyword"],
      change_query: ["キーワードの変更", "Change keyword"],
      remove_query: ["キーワードの削除", "Remove keyword"],
      create_key: ["APIキーの作成", "Create API key"],
      revoke_key: ["APIキーの失効", "Revoke API key"],
      pause: ["一時停止", "Pause"],
      resume: ["再開", "Resume"],
      rebuild_mirror: ["索引の作り直し", "Rebuild index"],
      release_deletions: ["削除の確定", "Delete held products"],
      discard_deletions: ["削除の取り消し", "Keep held products"],
      decide_match: ["同一商品の決定", "Decide a match"],
      undo_match_decision: ["同一商品の決定の取り消し", "Undo a match decision"],
      recheck_quarantined: ["隔離した商品の確認", "Check quarantined products"],
      drop_quarantined: ["隔離からの消去", "Drop from quarantine"],
      resend_dead_letters: ["受け付けられない文書の再送", "Send refused documents again"],
      replay_deliveries: ["知らせの送り直し", "Send messages again"],
    },
  },
  clicks: {
    title: ["ショップへのクリック", "Clicks to shops"],
    lead: [
      "商品からショップへ進んだ回数です。プログラムによるものと、同じ人の度を越した繰り返しは除いています。",
      "How often visitors went on from a product to its shop, without programs and without what one visitor clicks too often.",
    ],
    empty: ["まだクリックはありません。", "No click yet."],
    days: ["日別", "By day"],
    clicks: ["クリック", "Clicks"],
    products: ["よくクリックされた商品（7日間）", "Most clicked products in 7 days"],
    sources: ["クリック元（7日間）", "Where they were clicked in 7 days"],
    source: ["ラベル（src）", "Label (src)"],
    key: ["APIキー", "API key"],
    none: ["なし", "none"],
  },
  filters: {
    all: ["すべて", "All"],
    show: ["絞り込む", "Filter"],
    reset: ["条件を消す", "Clear the filters"],
    next: ["次のページ", "Next page"],
    shop: ["ショップID", "Shop id"],
    code: ["失敗の種類", "Kind of failure"],
    reason: ["理由", "Reason"],
    further: [
      "このページの範囲にはありません。次のページを見てください。",
      "None within this page. Look at the next one.",
    ],
    retryPage: ["このページのすべてを再試行", "Retry all of this page"],
    recheck: ["商品を今すぐ確認", "Check the product now"],
    recheckPage: ["このページの商品をすべて確認", "Check all products of this page"],
    drop: ["隔離から消す", "Drop"],
    dropPage: ["このページをすべて隔離から消す", "Drop all of this page"],
    dropConfirm: (count: string) => [`本当に ${count} 件を消す`, `Really drop ${count}`],
    resend: ["もう一度送る", "Send again"],
    resendPage: ["このページをすべてもう一度送る", "Send all of this page again"],
    discardPage: ["このページをすべて取り消して見直す", "Keep and check all of this page"],
    releasePage: ["このページをすべて確定する", "Delete all of this page"],
    replayPage: ["このページをすべて送り直す", "Send all of this page again"],
    deadLetters: ["検索エンジンが受け付けない商品", "Products that the search engine refuses"],
    noDeadLetters: ["ありません。", "None."],
  },
  ...today,
  ...calls,
  ...crawl,
  ...mirror,
  keys,
  matches,
  webhooks,
} satisfies Texts;

export type OpsMessages = InLanguage<typeof texts>;

export const messages = { ja: inLanguage(texts, "ja"), en: inLanguage(texts, "en") };
