-- online
-- The folded names of shops, by the new `fold_text`.
reindex index concurrently shop_name_folded;
--> statement-breakpoint
reindex index concurrently shop_id_folded;
--> statement-breakpoint
analyze shop;
