-- Other forms of a title's words, so that Postgres finds 引出 and 引出し in 引き出し, and 2つ折り in 二つ折り, as `titleForms`
-- in src/search/index/japanese-forms.ts has them. Texts that are there already follow in slices
-- (src/catalog/product-texts.ts).
create function text_forms(title text) returns text language sql immutable parallel safe as $$
  select string_agg(form, ' ') from (
    select regexp_replace(word[1], '(?<=[一-鿿々])(?:わ[せりい]|たり|とし|こし|らし|まれ|がり|か[えい]|[いきしちみりぎじびえけせてねめれげぜべ])(?![ぁ-ゖー])', '', 'g') as form
    from regexp_matches(title, '(?:[一-鿿々]+(?:わ[せりい]|たり|とし|こし|らし|まれ|がり|か[えい]|[いきしちみりぎじびえけせてねめれげぜべ])(?![ぁ-ゖー]))+[一-鿿々]*', 'g') word
    union all
    select translate(left(word[1], 1), '一二三四五六七八九', '123456789') || substr(word[1], 2)
    from regexp_matches(title, '(?<![一二三四五六七八九十百千万第])[一二三四五六七八九][つ段枚個本人冊足着台色連重袋組箱缶匹面口層列膳食玉粒年畳号泊回杯輪][一-鿿々ぁ-ゖ]{0,4}', 'g') word
  ) forms where char_length(form) > 1
$$;
--> statement-breakpoint
create or replace function write_product_text(item_ids bigint[]) returns void language sql as $$
  insert into product_text (item_id, body, words, title_length, in_stock, popularity)
  select item_id, body, text_words(body), title_length, in_stock, popularity
  from (
    select p.item_id, fold_text(concat_ws(' / ', left(p.title, 1000),
        (select string_agg(left(c, 200), ' / ') from jsonb_array_elements_text(p.categories) c), left(s.shop_name, 200),
        text_forms(left(p.title, 1000)))) as body,
      char_length(fold_text(left(p.title, 1000))) as title_length, p.stock > 0 as in_stock, p.popularity
    from product p join shop s using (shop_id)
    where p.item_id = any (item_ids) and p.state <> 'gone'
    order by p.item_id
  ) texts
  on conflict (item_id) do update set body = excluded.body, words = excluded.words,
      title_length = excluded.title_length, in_stock = excluded.in_stock, popularity = excluded.popularity
    where product_text.body <> excluded.body or product_text.words <> excluded.words
      or (product_text.in_stock, product_text.popularity) <> (excluded.in_stock, excluded.popularity)
$$;
