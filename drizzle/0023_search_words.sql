-- The fold of `fold` in src/search/index/fold.ts: what two spellings of one word have in common. A test
-- compares both, pair by pair; a changed list of kanji variants needs a new version of this function.
create or replace function fold_text(text text) returns text language sql immutable parallel safe as $$
  select regexp_replace(translate(translate(
    replace(replace(replace(replace(replace(
      regexp_replace(
        replace(replace(replace(replace(replace(
          normalize(regexp_replace(normalize(lower(plain collate pg_c_utf8), NFD), '[\u0300-\u036f]', '', 'g'), NFC),
        'ß', 'ss'), 'æ', 'ae'), 'ø', 'o'), 'œ', 'oe'), 'ł', 'l'),
      '(?<=[ぁ-ゖァ-ヺー])-(?=[ぁ-ゖァ-ヺー々〆一-鿿㐀-䶿])', 'ー', 'g'),
    'ヴァ', 'バ'), 'ヴィ', 'ビ'), 'ヴェ', 'ベ'), 'ヴォ', 'ボ'), 'ヴ', 'ブ'),
    'ァアィイゥウェエォオカガキギクグケゲコゴサザシジスズセゼソゾタダチヂッツヅテデトドナニヌネノハバパヒビピフブプヘベペホボポマミムメモャヤュユョヨラリルレロヮワヰヱヲンヴヵヶ',
    'ぁあぃいぅうぇえぉおかがきぎくぐけげこごさざしじすずせぜそぞただちぢっつづてでとどなにぬねのはばぱひびぴふぶぷへべぺほぼぽまみむめもゃやゅゆょよらりるれろゎわゐゑをんゔゕゖ'),
    'ぁぃぅぇぉっゃゅょゎゕゖ', 'あいうえおつやゆよわかけ'),
    '(?<=[いきしちにひみりぎじびぴ])や', 'あ', 'g') collate pg_c_utf8
  from (select translate(
    regexp_replace(normalize(
      regexp_replace(
        regexp_replace(
          regexp_replace(text, '[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF\uE000\uE001]', '', 'g'),
          '[\u0001-\u001F\u007F-\u009F]+', ' ', 'g'),
        '(?<=[\u3041-\u3096\u30A1-\u30FA\u30FC\uFF66-\uFF9F])[\u2010-\u2015\u2212\u2500\u2501\uFF0D]', 'ー', 'g'),
      NFKC), '(?<=[\u30A1-\u30FA\u30FC])一(?=[\u30A1-\u30FA\u30FC])', 'ー', 'g'),
    '髙﨑嵜齋齊邊邉濵濱澤廣國嶋嶌櫻惠德栁桒冨𠮷眞靑淸黑瀨瀧曾壽實寶圓榮縣學鐵藝繪繩續絲豐醫錢關靈顏飮驛髮鷄麥麵麪點齒龜爲狀獨疊發稻穗篭蘆藥蟲螢裝觸讀變轉遙鎭雜雙靜頰體鹽黃燒燈爐畫當禮總聲臺舊莊萬藏處號衞覺觀讓賣輕醉隱餘騷齡佛來假傳價兒凉劍勞區卷參單嚴團圖壞壯奧姬孃寢寫將屆峽峯嶽巖帶彌彈從應懷戀戰戲拂搖收數晝晉條橫桧歐步歷歸殘每氣淨淺溪滿濕灣祕禪窗經纖罐聽蠶裡繡剝搔摑塡鷗蟬醬蠟頸萊瘦嚙囊屛幷槇',
    '高崎崎斎斉辺辺浜浜沢広国島島桜恵徳柳桑富吉真青清黒瀬滝曽寿実宝円栄県学鉄芸絵縄続糸豊医銭関霊顔飲駅髪鶏麦麺麺点歯亀為状独畳発稲穂籠芦薬虫蛍装触読変転遥鎮雑双静頬体塩黄焼灯炉画当礼総声台旧荘万蔵処号衛覚観譲売軽酔隠余騒齢仏来仮伝価児涼剣労区巻参単厳団図壊壮奥姫嬢寝写将届峡峰岳巌帯弥弾従応懐恋戦戯払揺収数昼晋条横檜欧歩歴帰残毎気浄浅渓満湿湾秘禅窓経繊缶聴蚕裏繍剥掻掴填鴎蝉醤蝋頚莱痩噛嚢屏并槙') as plain) spelt
$$;
--> statement-breakpoint
-- The words by which a folded text is found: those of Latin letters and digits (`latinTokens` in
-- src/search/index/fold.ts), other characters by themselves, and pairs of those that stand side by side.
create function text_words(body text) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(coalesce(array_agg(distinct word), '{}')) from (
    select word[1] as word from regexp_matches(body, '[a-z0-9]+(?:[./][0-9]+)*', 'g') word
    union all
    select word[1] from regexp_matches(body, '[0-9]+|[a-z]+', 'g') word
    union all
    select replace(word[1], '-', '') from regexp_matches(body, '[a-z0-9]+(?:-[a-z0-9]+)+', 'g') word
    union all
    select char from unnest(string_to_array(body, null)) char where ascii(char) > 127
    union all
    select chars[i] || chars[i + 1]
    from (select string_to_array(body, null) as chars) c, generate_series(1, cardinality(chars) - 1) i
    where ascii(chars[i]) > 127 and ascii(chars[i + 1]) > 127
  ) words
$$;
--> statement-breakpoint
alter table product_text add column words tsvector;
--> statement-breakpoint
update product_text set body = fold_text(body), words = text_words(fold_text(body));
--> statement-breakpoint
alter table product_text alter column words set not null;
--> statement-breakpoint
alter table product_text drop column grams;
--> statement-breakpoint
drop function text_grams;
--> statement-breakpoint
-- Not `fastupdate`: every search would read the list of what is not yet sorted in.
create index product_text_words on product_text using gin (words) with (fastupdate = off);
--> statement-breakpoint
create or replace function write_product_text(item_ids bigint[]) returns void language sql as $$
  insert into product_text (item_id, body, words)
  select item_id, body, text_words(body)
  from (
    select p.item_id, fold_text(concat_ws(' / ', left(p.title, 1000),
      (select string_agg(left(c, 200), ' / ') from jsonb_array_elements_text(p.categories) c), left(s.shop_name, 200))) as body
    from product p join shop s using (shop_id)
    where p.item_id = any (item_ids)
    order by p.item_id
  ) texts
  on conflict (item_id) do update set body = excluded.body, words = excluded.words
    where product_text.body <> excluded.body
$$;
