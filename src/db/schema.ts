/** All tables, one file for each part of the data. Each column says what it holds. */
export * from "./schema/catalogue.ts";
export * from "./schema/quarantine.ts";
export * from "./schema/planner.ts";
export * from "./schema/ledger.ts";
export * from "./schema/crawl.ts";
export * from "./schema/demand.ts";
export * from "./schema/alert-owners.ts";
export * from "./schema/alerts.ts";
export * from "./schema/changes.ts";
export * from "./schema/counts.ts";
export * from "./schema/keys.ts";
export * from "./schema/matching.ts";
export * from "./schema/match-review.ts";
export * from "./schema/mirror.ts";
export * from "./schema/shared.ts";
