import { readdirSync, readFileSync } from "node:fs";

/** Files and folders (ending in `/`) whose statements `kurabe bench scale` does not send, and what they are or why. */
export const unmeasuredFiles: Readonly<Record<string, string>> = {
  "alerts/": "not sent yet; `kurabe bench alerts` measures judging",
  "bench/": "benches",
  "db/migrate.ts": "once at a start",
  "db/open.ts": "passes on what others send",
  "db/connection-limit.ts": "once at a start",
  "db/transact.ts": "begins transactions, and sets how long a statement waits",
  "db/replica/watch.ts": "positions in the write-ahead log, once a second",
  "db/guarded-pool.ts": "passes on what others send, and asks a silent server for nothing",
  "api/alerts/webhooks.ts": "begins transactions",
  "api/ops/actions/": "begins transactions",
  "search/mirror/writes/dead-letters.ts": "a list that an operator opens, by its own index",
  "crawl/products/revalidation.ts": "begins transactions",
  "web/ops/access/auth-guard.tsx": "begins transactions",
  "cli/": "commands that a person runs",
  "export/": "exports by day, which have their own bounds",
  "sandbox/": "the sandbox's own tables",
  "service/analyst.ts": "once at a start",
  "catalog/analytics.ts": "once at a start",
  "search/cluster/": "several search hosts: placements, read once a second",
  "search/mirror/mirror.ts": "once at a start",
  "search/mirror/indexes/hosts.ts": "several search hosts",
  "search/mirror/proof/loss.ts": "several search hosts",
  "search/mirror/placed.ts": "several search hosts",
  "search/mirror/proof/prove.ts": "a rebuild of the index",
  "search/mirror/rebuild.ts": "a rebuild of the index",
  "search/mirror/writes/reset.ts": "an index that was lost",
  "search/mirror/proof/verify.ts": "a row of the settings",
  "search/query/relaxed/japanese-correction.ts":
    "a start reads the words of the catalogue's sample",
  "crawl/keywords/changes-page.ts": "only pages whose products are all of the future; 50 rows",
  "crawl/products/product-pass.ts": "only a run by hand",
  "crawl/keywords/suspects.ts": "at most the 50 products of one page, by their ids",
  "matching/": "the matching stage, which follows changes in slices",
  "db/months.ts": "makes and drops months",
  "search/query/sql/pool.ts": "sent, but not for as few products as its test has",
  "catalog/observing/variations.ts": "variations of its products stay the same",
  "catalog/observing/store-in-parts.ts": "an answer that the database has refused",
  "catalog/visitors/clicks.ts":
    "not sent yet; the console reads the clicks of the listed days by the primary key",
  "catalog/observing/deletions.ts": "not sent yet",
  "catalog/observing/make-due.ts": "what operators decide about, by its ids",
  "catalog/observing/unreadable-fields.ts":
    "an answer with unreadable fields; its products by their ids",
  "catalog/status/status.ts": "not sent yet",
  "catalog/product-ranges.ts":
    "site maps: a step in the index for each range, once an hour; one range at a time",
  "crawl/safety/upstream-settings.ts": "once at a start",
  "crawl/budget/accounts.ts": "one row of each of several accounts",
  "crawl/learning/losses.ts": "sent where products are deleted, not on every run",
  "crawl/learning/scanned-days.ts": "not sent on every run",
};

const sends =
  /\bexecutePrepared[<(]|\.execute[<(]|(await |\b[dD]b\s*|\btx\s*)[\w.]*\.(select|insert|update|delete|transaction)\b/;

/** All other files of `src` that send statements: the bench measures them. */
export const measuredFiles: readonly string[] = readdirSync("src", {
  recursive: true,
  encoding: "utf8",
}).filter(
  (file) =>
    /(?<!\.test)\.tsx?$/.test(file) &&
    !isUnmeasured(file) &&
    sends.test(readFileSync(`src/${file}`, "utf8")),
);

export function isUnmeasured(file: string): boolean {
  return Object.keys(unmeasuredFiles).some((part) => file.startsWith(part));
}
