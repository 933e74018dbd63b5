-- Rows that were stored before are mended by the triggers of 0076; apart from it, because reading all schedules takes a while.
update product_schedule c set weight = weight where is_readable(c) is not true;
--> statement-breakpoint
update shop s set losses = losses where is_readable(s) is not true;
--> statement-breakpoint
update crawl_query k set scan_yield = scan_yield where is_readable(k) is not true;
--> statement-breakpoint
update rate_evidence e set changes = changes where is_readable(e) is not true;
--> statement-breakpoint
update loss_evidence e set losses = losses where is_readable(e) is not true;
--> statement-breakpoint
update rate_trait t set factor = factor where is_readable(t) is not true;
--> statement-breakpoint
update loss_trait t set factor = factor where is_readable(t) is not true;
--> statement-breakpoint
update backoff b set part = part where is_readable(b) is not true;
--> statement-breakpoint
update crawl_page p set item_ids = item_ids where is_readable(p) is not true;
--> statement-breakpoint
update job j set settings = settings where is_readable(j) is not true;
--> statement-breakpoint
update job_run r set position = position where is_readable(r) is not true;
--> statement-breakpoint
delete from setting s where is_readable(s) is not true;
