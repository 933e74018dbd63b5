-- What ranks a product found by its text stands beside the text, so that a search reads one table.
ALTER TABLE "product_text" ADD COLUMN "title_length" integer NOT NULL DEFAULT 0;--> statement-breakpoint
ALTER TABLE "product_text" ADD COLUMN "in_stock" boolean NOT NULL DEFAULT false;--> statement-breakpoint
ALTER TABLE "product_text" ADD COLUMN "popularity" integer NOT NULL DEFAULT 0;--> statement-breakpoint
delete from product_text t using product p where p.item_id = t.item_id and p.state = 'gone';
--> statement-breakpoint
update product_text t
set title_length = char_length(fold_text(left(p.title, 1000))), in_stock = p.stock > 0, popularity = p.popularity
from product p where p.item_id = t.item_id;
--> statement-breakpoint
alter table product_text
  alter column title_length drop default,
  alter column in_stock drop default,
  alter column popularity drop default;
--> statement-breakpoint
create or replace function write_product_text(item_ids bigint[]) returns void language sql as $$
  insert into product_text (item_id, body, words, title_length, in_stock, popularity)
  select item_id, body, text_words(body), title_length, in_stock, popularity
  from (
    select p.item_id, fold_text(concat_ws(' / ', left(p.title, 1000),
        (select string_agg(left(c, 200), ' / ') from jsonb_array_elements_text(p.categories) c), left(s.shop_name, 200))) as body,
      char_length(fold_text(left(p.title, 1000))) as title_length, p.stock > 0 as in_stock, p.popularity
    from product p join shop s using (shop_id)
    where p.item_id = any (item_ids) and p.state <> 'gone'
    order by p.item_id
  ) texts
  on conflict (item_id) do update set body = excluded.body, words = excluded.words,
      title_length = excluded.title_length, in_stock = excluded.in_stock, popularity = excluded.popularity
    where product_text.body <> excluded.body
      or (product_text.in_stock, product_text.popularity) <> (excluded.in_stock, excluded.popularity)
$$;
--> statement-breakpoint
create or replace function product_updated() returns trigger language plpgsql as $$
declare
  gone bigint[];
  changed bigint[];
begin
  perform mirror_mark_dirty(array(
    select n.item_id from new_rows n join old_rows o using (item_id)
    where n.ver <> o.ver or n.popularity <> o.popularity));
  gone := array(
    select n.item_id from new_rows n join old_rows o using (item_id) where n.state = 'gone' and o.state <> 'gone');
  if cardinality(gone) > 0 then
    delete from product_text where item_id = any (gone);
  end if;
  changed := array(
    select n.item_id from new_rows n join old_rows o using (item_id)
    where n.title <> o.title or n.categories <> o.categories or n.shop_id <> o.shop_id
      or (n.stock > 0) <> (o.stock > 0) or n.popularity <> o.popularity
      or (o.state = 'gone' and n.state <> 'gone'));
  if cardinality(changed) > 0 then
    perform write_product_text(changed);
  end if;
  return null;
end $$;
