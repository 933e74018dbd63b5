-- Shops by the beginning of their name or id, in one spelling.
CREATE INDEX "shop_name_folded" ON "shop" USING btree (left(fold_text(shop_name), 200) collate "C");--> statement-breakpoint
CREATE INDEX "shop_id_folded" ON "shop" USING btree (left(fold_text(shop_id), 200) collate "C");