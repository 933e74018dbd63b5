-- Shops by the beginning of their name or id, in one spelling.
CREATE INDEX "shop_name_folded" ON "shop" USING btree (fold_text(shop_name) collate "C");--> statement-breakpoint
CREATE INDEX "shop_id_folded" ON "shop" USING btree (fold_text(shop_id) collate "C");