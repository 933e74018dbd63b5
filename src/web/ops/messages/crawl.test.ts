import { describe, expect, it } from "vitest";
import type { Reason } from "../../../crawl/scoring/reason.ts";
import type { Warning } from "../../../crawl/plan-report.ts";
import type { CronFault } from "../../../crawl/budget/cron-fault.ts";
import { jobNames, jobSettingsOf } from "../../../crawl/budget/jobs.ts";
import { toCandidates } from "../../../crawl/keywords/candidates.ts";
import { messages } from "./messages.ts";

const shopId = "KOBO";
const target = { minWeight: 1, hours: 12 };
const reasons: { [Code in Reason["code"]]: Reason & { code: Code } } = {
  full_scan: { code: "full_scan", q: "財布", shopId, start: 51 },
  trial: {
    code: "trial",
    q: "財布",
    shopId: null,
    source: "zero_results",
    reason: "searched by 3 visitors without results",
  },
  newest_changes: { code: "newest_changes", q: "財布", start: 51 },
  newest_ids: { code: "newest_ids", q: "財布", start: 51 },
  most_ordered: { code: "most_ordered", q: "財布", start: 51, expected: 0 },
  overdue: { code: "overdue", shopId, overdue: 3, days: 30.25, others: 4 },
  worthwhile: { code: "worthwhile", shopId, products: 5, value: 1.2345, first: null },
  pass: { code: "pass", shopId, products: 5 },
  second_check: { code: "second_check", shopId, products: 5 },
  returned: { code: "returned", shopId, products: 5, others: 45 },
  failed_together: { code: "failed_together", shopId, products: 5 },
  failed_alone: { code: "failed_alone", shopId, itemId: 100_003 },
  unreadable: { code: "unreadable", shopId, itemId: 100_003 },
  on_demand: { code: "on_demand", shopId, asked: 2, others: 48 },
};
const warnings: { [Code in Warning["code"]]: Warning & { code: Code } } = {
  ended_early: { code: "ended_early", day: "2026-03-02", allowed: 14, callsPerDay: 16 },
  windows_too_short: { code: "windows_too_short", reachable: 300, callsPerDay: 10_000 },
  max_age_exceeded: { code: "max_age_exceeded", maxAgeDays: 2, boundDays: 4.25 },
  target_unreachable: { code: "target_unreachable", target },
  target_missed: { code: "target_missed", target, missing: 40 },
};

const faults: { [Code in CronFault["code"]]: CronFault & { code: Code } } = {
  fields: { code: "fields", expression: "* * * *", found: 4 },
  values: {
    code: "values",
    faults: [
      { field: "minute", value: "60" },
      { field: "expression", value: "@daily" },
    ],
  },
  both_days: { code: "both_days" },
  never: { code: "never" },
};

const product = {
  title: "本革 財布",
  categories: ["財布"],
  shopId: "s",
  shopName: "店",
  queryId: 1,
};
const candidates = toCandidates({
  sample: [product, product, product],
  zeroResults: [{ q: "財布", visitors: 3 }],
  ended: [{ id: 1, q: "財布", endsAt: 50, found: 90 }],
});

const texts = {
  reasons: Object.values(reasons).map(messages.ja.plan.reason),
  warnings: Object.values(warnings).map(messages.ja.plan.warning),
  faults: Object.values(faults).map(messages.ja.schedule.cronFault),
  proposals: Object.values(candidates).map(([first]) =>
    messages.ja.keywords.reason(first?.reason ?? ""),
  ),
};

it("the console says in English which values a field of an expression may have", () => {
  expect(messages.en.schedule.cronFault(faults.values)).toBe(
    '"60" cannot be used as minute (0 to 59); "@daily" cannot be used as expression',
  );
});

describe("the console's Japanese", () => {
  it("has a name for each setting of a job, as English has", () => {
    const settings = jobNames.flatMap((name) => Object.keys(jobSettingsOf(name)));
    for (const { schedule } of Object.values(messages)) {
      expect(Object.keys(schedule.settingNames)).toEqual(expect.arrayContaining(settings));
    }
  });

  it.each(Object.entries(texts))("has words and figures for all %s", (_, all) => {
    expect(all).toMatchSnapshot();
    for (const text of all) {
      expect(text).toMatch(/[ぁ-ん]/);
      // A shop's id and the hand-written expression are not words.
      expect(text?.replaceAll(/KOBO|「[^」]*」/g, "")).not.toMatch(/[A-Za-z]{2}/);
    }
  });
});
