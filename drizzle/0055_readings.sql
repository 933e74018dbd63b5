-- Newest changes are read page by page, each when it is worth a call: no interval is planned, and no scan is under way.
alter table "crawl_query" drop column "scan_interval_days";--> statement-breakpoint
update crawl_query set scans = scans - 'feed' where scans ? 'feed';
