import { mostCounted } from "../../alerts/delivery/report.ts";
import { mostMailsCounted } from "../../alerts/status.ts";
import { mostBackoffsCounted } from "../../crawl/backoff-list.ts";
import { anomalousAnswers } from "../../crawl/safety/pause.ts";
import { mostReviewsCounted } from "../../matching/review/review.ts";
import type { State } from "./state.ts";

type Figure = [value: number, labels?: Record<string, string>];

export interface GaugeOfState {
  help: string;
  labelNames?: string[];
  /** None if its part of the state could not be read. */
  figures(state: Partial<State>): Figure[];
}

/** Gauges of the state, by name. */
export const gauges: Record<string, GaugeOfState> = {
  kurabe_products: gaugeOf("catalog", {
    help: "Products by state",
    labelNames: ["state"],
    figures: (catalog) =>
      Object.entries(catalog.products).map(([state, count]) => [count, { state }]),
  }),
  kurabe_shops: gaugeOf("catalog", {
    help: "Shops ever seen",
    figures: (catalog) => [[catalog.shops]],
  }),
  kurabe_freshness_seconds: gaugeOf("catalog", {
    help: "Time since products were last verified",
    labelNames: ["quantile"],
    figures: ({ freshness }) =>
      freshness
        ? [
            [freshness.p50Seconds, { quantile: "0.5" }],
            [freshness.p95Seconds, { quantile: "0.95" }],
            [freshness.oldestSeconds, { quantile: "1" }],
          ]
        : [],
  }),
  kurabe_quarantined_items: gaugeOf("catalog", {
    help: "Items in quarantine because they could not be read",
    figures: (catalog) => [[catalog.quarantined]],
  }),
  kurabe_held_deletions: gaugeOf("catalog", {
    help: "Proven deletions held for ops because too many products vanished at once",
    figures: (catalog) => [[catalog.heldDeletions]],
  }),
  kurabe_budget_limit_calls: gaugeOf("budget", {
    help: "Calls allowed today",
    figures: (budget) => [[budget.limit]],
  }),
  kurabe_budget_used_calls: gaugeOf("budget", {
    help: "Calls counted today by purpose, without those that a restore or `kurabe promoted` counts as made",
    labelNames: ["purpose"],
    figures: (budget) =>
      Object.entries(budget.byPurpose).map(([purpose, used]) => [used, { purpose }]),
  }),
  kurabe_budget_remaining_calls: gaugeOf("budget", {
    help: "Calls left today; 0 once the upstream refused",
    figures: (budget) => [[budget.remaining]],
  }),
  kurabe_account_limit_calls: gaugeOf("budget", {
    help: "Calls allowed today by upstream account",
    labelNames: ["account"],
    figures: (budget) =>
      budget.accounts.map(({ account }) => [account.dailyLimit, { account: account.name }]),
  }),
  kurabe_account_used_calls: gaugeOf("budget", {
    help: "Calls counted today by upstream account",
    labelNames: ["account"],
    figures: (budget) =>
      budget.accounts.map(({ account, used }) => [used, { account: account.name }]),
  }),
  kurabe_account_paused: gaugeOf("budget", {
    help: "1 while an upstream account is refused and the others go on",
    labelNames: ["account"],
    figures: (budget) =>
      budget.accounts.map(({ account, pause }) => [
        pause === null ? 0 : 1,
        { account: account.name },
      ]),
  }),
  kurabe_calls_today: gaugeOf("calls", {
    help: "Calls of today by outcome",
    labelNames: ["purpose", "outcome"],
    figures: (calls) => calls.map(({ calls: made, ...labels }) => [made, labels]),
  }),
  kurabe_crawl_paused: gaugeOf("crawl", {
    help: "1 while ops have paused the crawler",
    figures: (crawl) => [[Number(crawl.paused)]],
  }),
  kurabe_crawl_blocked: gaugeOf("crawl", {
    help: "1 while the crawler waits because of failures of the upstream, and between its tries until one succeeds",
    figures: (crawl) => [[Number(crawl.isBlocked)]],
  }),
  kurabe_crawl_anomalies: gaugeOf("crawl", {
    help: "1 while the crawl has stopped because the upstream's answers do not fit together",
    figures: (crawl) => [[Number(crawl.block?.code === anomalousAnswers)]],
  }),
  kurabe_backoffs: gaugeOf("waiting", {
    help: `Subjects in backoff because their calls failed, counted up to ${mostBackoffsCounted} per kind`,
    labelNames: ["kind"],
    figures: (waiting) => Object.entries(waiting).map(([kind, count]) => [count, { kind }]),
  }),
  kurabe_match_reviews: gaugeOf("matches", {
    help: `Doubtful matches that wait for a decision of ops, counted up to ${mostReviewsCounted}`,
    figures: (matches) => [[matches.waiting]],
  }),
  kurabe_match_decisions: gaugeOf("matches", {
    help: "Decisions of ops about matches, by what was decided",
    labelNames: ["decision"],
    figures: (matches) => matches.decisions.map(({ decision, n }) => [n, { decision }]),
  }),
  kurabe_match_refused_categories: gaugeOf("matches", {
    help: "Categories where too few matches by title would be right, so that none is made",
    figures: (matches) => [[matches.refused]],
  }),
  kurabe_mirror_lag_seconds: gaugeOf("mirror", {
    help: "Age of the oldest change that is not searchable yet",
    figures: ({ serving }) => (serving ? [[serving.lagSeconds]] : []),
  }),
  kurabe_mirror_rows: gaugeOf("mirror", {
    help: "Documents of the serving index by state",
    labelNames: ["state"],
    figures: ({ serving }) =>
      serving
        ? [
            [serving.clean, { state: "clean" }],
            [serving.dirty, { state: "dirty" }],
            [serving.deadLettered, { state: "dead_lettered" }],
          ]
        : [],
  }),
  kurabe_mirror_oldest_task_seconds: gaugeOf("mirror", {
    help: "Age of the oldest write that the search engine has not finished",
    figures: ({ serving }) => (serving ? [[serving.oldestTaskSeconds]] : []),
  }),
  kurabe_changes_lag_seconds: gaugeOf("changeLagSeconds", {
    help: "Age of the oldest change that readers of /v1/changes do not get yet",
    figures: (seconds) => [[seconds]],
  }),
  kurabe_matching_due_products: gaugeOf("matching", {
    help: "Products that changed, or something that they are compared with, and wait for matching; 10000 stands for more",
    figures: (matching) => [[matching.due]],
  }),
  kurabe_matching_failing_products: gaugeOf("matching", {
    help: "Products among them whose matching failed; each is tried again after a pause or a change",
    figures: (matching) => [[matching.failing]],
  }),
  kurabe_matching_lag_seconds: gaugeOf("matching", {
    help: "Age of the oldest change that is not in the groups yet, of products that do not fail",
    figures: (matching) => [[matching.lagSeconds]],
  }),
  kurabe_matching_model_progress: gaugeOf("modelProgress", {
    help: "How far another model has judged the products, or regrouped them since it took over, 0 to 1; 1 while none follows",
    figures: (progress) => [[progress]],
  }),
  kurabe_alert_changes_judged: gaugeOf("alerts", {
    help: "Changes judged for alerts since the beginning",
    figures: (alerts) => [[alerts.judged]],
  }),
  kurabe_alert_searches_looked_at: gaugeOf("alerts", {
    help: "Saved searches looked at for these changes since the beginning",
    figures: (alerts) => [[alerts.looked]],
  }),
  kurabe_alert_events: gaugeOf("alerts", {
    help: "Events that came of them since the beginning",
    figures: (alerts) => [[alerts.events]],
  }),
  kurabe_alert_changes_skipped: gaugeOf("alerts", {
    help: "Changes that could not be judged for alerts, and were left out, since the beginning",
    figures: (alerts) => [[alerts.skipped]],
  }),
  kurabe_alert_lag_seconds: gaugeOf("alerts", {
    help: "Age of the oldest change that is not judged for alerts yet",
    figures: (alerts) => [[alerts.lagSeconds]],
  }),
  kurabe_alert_mails_waiting: gaugeOf("alerts", {
    help: `Mails of alerts that are neither sent nor given up, counted up to ${mostMailsCounted}`,
    figures: (alerts) => [[alerts.mails.waiting]],
  }),
  kurabe_alert_mails_oldest_seconds: gaugeOf("alerts", {
    help: "How long the oldest of them has waited",
    figures: (alerts) => [[alerts.mails.oldestSeconds]],
  }),
  kurabe_webhook_attempts: gaugeOf("webhooks", {
    help: "Attempts ever made to deliver messages to webhooks, by outcome",
    labelNames: ["outcome"],
    figures: (webhooks) => webhooks.attempts.map(({ outcome, n }) => [n, { outcome }]),
  }),
  kurabe_webhook_messages: gaugeOf("webhooks", {
    help: `Messages that wait for an attempt, and dead letters, each counted up to ${mostCounted}`,
    labelNames: ["state"],
    figures: (webhooks) => [
      [webhooks.waiting, { state: "waiting" }],
      [webhooks.dead, { state: "dead" }],
    ],
  }),
  kurabe_webhook_lag_seconds: gaugeOf("webhooks", {
    help: "How long the oldest message that is due has waited, of webhooks that do not fail",
    figures: (webhooks) => [[webhooks.lagSeconds]],
  }),
  kurabe_webhooks_failing: gaugeOf("webhooks", {
    help: "Enabled webhooks whose last attempt failed",
    figures: (webhooks) => [[webhooks.failing]],
  }),
  kurabe_webhooks_disabled: gaugeOf("webhooks", {
    help: "Webhooks disabled because they answered 410 (gone) or failed for five days (failing)",
    labelNames: ["reason"],
    figures: (webhooks) => Object.entries(webhooks.disabled).map(([reason, n]) => [n, { reason }]),
  }),
  kurabe_database_oldest_transaction_seconds: gaugeOf("oldestTransactionSeconds", {
    help: "Age of the oldest open transaction, which blocks vacuum",
    figures: (seconds) => [[seconds]],
  }),
  kurabe_database_blocking_transaction_seconds: gaugeOf("blockingTransactionSeconds", {
    help: "Age of the oldest transaction whose locks others wait for",
    figures: (seconds) => [[seconds]],
  }),
  kurabe_search_host_up: gaugeOf("placement", {
    help: "Whether each of several search hosts answers",
    labelNames: ["host"],
    figures: (placement) => placement.hosts.map((one) => [Number(one.isUp), { host: one.url }]),
  }),
  kurabe_search_host_lag_seconds: gaugeOf("placement", {
    help: "Age of the oldest change that each of several search hosts lacks",
    labelNames: ["host"],
    figures: (placement) => placement.hosts.map((one) => [one.lagSeconds, { host: one.url }]),
  }),
  kurabe_search_host_buckets: gaugeOf("placement", {
    help: "Buckets of products on each of several search hosts, by state",
    labelNames: ["host", "state"],
    figures: (placement) =>
      placement.hosts.flatMap((one) =>
        (["serving", "filling", "leaving"] as const).map((state): Figure => {
          return [one[state], { host: one.url, state }];
        }),
      ),
  }),
  kurabe_search_unsearchable_buckets: gaugeOf("placement", {
    help: "Buckets of products that none of several search hosts may be searched for",
    figures: (placement) => [[placement.unsearchableBuckets]],
  }),
};

/** A gauge that shows a part of the state. */
function gaugeOf<P extends keyof State>(
  part: P,
  gauge: Omit<GaugeOfState, "figures"> & { figures(value: State[P]): Figure[] },
): GaugeOfState {
  return {
    ...gauge,
    figures(state) {
      const value: State[P] | undefined = state[part];
      return value === undefined ? [] : gauge.figures(value);
    },
  };
}
