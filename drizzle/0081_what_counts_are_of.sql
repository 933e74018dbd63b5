comment on column analytics.budget_days.used is 'Calls counted; never above limit_calls. A call near the date change is counted in both days. On the day of a restore or a promotion it is more than its parts: calls that nobody knows of count as made.';
--> statement-breakpoint
comment on column analytics.account_days.used is 'Calls counted; never above limit_calls. A call near the date change is counted in both days. On the day of a restore or a promotion it is more than its parts: calls that nobody knows of count as made.';
--> statement-breakpoint
comment on view analytics.offers is 'One row a GTIN and shop: the shop''s cheapest offer, one in stock before one that is not, one with a price before one without (price 0). It may be a used one: product_attributes has the condition that titles tell. Products that are gone are left out. Ask it for some GTINs, or for a shop.';
