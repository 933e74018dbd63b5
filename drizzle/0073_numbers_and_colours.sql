-- Further forms of a title's words, as `titleForms` in src/search/index/japanese-forms.ts has them: numbers of several kanji (12色 in
-- 十二色) and behind 第, with more counters (1番 in 一番), and the names of colours and fabrics (white in 白, so that ホワイト finds it). Texts that are there
-- already follow in slices (src/catalog/upkeep/product-texts.ts).
create or replace function text_forms(title text) returns text language sql immutable parallel safe as $$
  select string_agg(form, ' ') from (
    select regexp_replace(word[1], '(?<=[一-鿿々])(?:わ[せりい]|たり|とし|こし|らし|まれ|がり|か[えい]|[いきしちみりぎじびえけせてねめれげぜべ])(?![ぁ-ゖー])', '', 'g') as form
    from regexp_matches(title, '(?:[一-鿿々]+(?:わ[せりい]|たり|とし|こし|らし|まれ|がり|か[えい]|[いきしちみりぎじびえけせてねめれげぜべ])(?![ぁ-ゖー]))+[一-鿿々]*', 'g') word
    union all
    select case when word[1] like '%十%'
        then translate(coalesce(nullif(split_part(word[1], '十', 1), ''), '一') || coalesce(nullif(split_part(word[1], '十', 2), ''), '〇'),
          '〇一二三四五六七八九', '0123456789')
        else translate(word[1], '〇一二三四五六七八九', '0123456789') end || word[2]
    from regexp_matches(title, '(?<![〇一二三四五六七八九十百千万])([〇一二三四五六七八九十]{1,4})([つ段枚個本人冊足着台色連重袋組箱缶匹面口層列膳食玉粒年畳号泊回杯輪巻番版ヶ月時分角形型級種度品帖合升][一-鿿々ぁ-ゖ]{0,4})', 'g') word
    union all
    select name
    from (values ('黒', 'black'), ('白', 'white'), ('赤', 'red'), ('青', 'blue'), ('緑', 'green'), ('紺', 'navy'),
      ('紫', 'purple'), ('綿', 'cotton'), ('麻', 'linen'), ('絹', 'silk')) signs(sign, name)
    where title ~ ('(?<![一-鿿々])' || sign || '色?(?:[のとやも]|(?![一-鿿々ぁ-ゖ]))')
  ) forms where char_length(form) > 1
$$;
