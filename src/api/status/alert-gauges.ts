import { mostCounted } from "../../alerts/delivery/report.ts";
import { mostMailsCounted } from "../../alerts/status.ts";
import { gaugeOf, type GaugeOfState } from "./gauge-of.ts";

/** Gauges of alerts, their mails and their webhooks, by name. */
export const alertGauges: Record<string, GaugeOfState> = {
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
};
