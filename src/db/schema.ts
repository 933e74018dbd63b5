/** All tables, one file for each part of the data. Each column says what it holds. */
export * from "./schema/catalogue/catalogue.ts";
export * from "./schema/catalogue/quarantine.ts";
export * from "./schema/crawl/planner.ts";
export * from "./schema/crawl/ledger.ts";
export * from "./schema/crawl/crawl.ts";
export * from "./schema/catalogue/demand.ts";
export * from "./schema/alerts/alert-owners.ts";
export * from "./schema/alerts/alerts.ts";
export * from "./schema/catalogue/changes.ts";
export * from "./schema/catalogue/changes.ts";
export * from "./schema/keys.ts";
export * from "./schema/matching.ts";
export * from "./schema/match-review.ts";
export * from "./schema/mirror.ts";
export * from "./schema/shared.ts";
