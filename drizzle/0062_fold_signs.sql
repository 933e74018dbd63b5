-- Characters that nobody sees or types, signs with another form on each keyboard, and further old kanji, as `fold` and
-- `normalise` in src/search/index read them: selectors of a character's shape, ®, fractions, “”, decimal commas, ヶ, and
-- × between numbers. Texts that are there already follow in slices (src/catalog/product-texts.ts).
create temporary table folded_before on commit drop as
select saved_search_id, fold_text(query ->> 'q') as folded from saved_search where query ? 'q';
--> statement-breakpoint
create or replace function fold_text(text text) returns text language sql immutable parallel safe as $$
  select regexp_replace(translate(translate(
    replace(replace(replace(replace(replace(
      regexp_replace(regexp_replace(
        replace(replace(replace(replace(replace(
          normalize(regexp_replace(normalize(lower(plain collate pg_c_utf8), NFD), '[\u0300-\u036f]', '', 'g'), NFC),
        'ß', 'ss'), 'æ', 'ae'), 'ø', 'o'), 'œ', 'oe'), 'ł', 'l'),
      '(?<![0-9,.])([0-9]{1,4}),([0-9]{1,2})(?![0-9,.])', '\1.\2', 'g'),
      '(?<=[ぁ-ゖァ-ヺー])-(?=[ぁ-ゖァ-ヺー々〆一-鿿㐀-䶿])', 'ー', 'g'),
    'ヴァ', 'バ'), 'ヴィ', 'ビ'), 'ヴェ', 'ベ'), 'ヴォ', 'ボ'), 'ヴ', 'ブ'),
    'ァアィイゥウェエォオカガキギクグケゲコゴサザシジスズセゼソゾタダチヂッツヅテデトドナニヌネノハバパヒビピフブプヘベペホボポマミムメモャヤュユョヨラリルレロヮワヰヱヲンヴヵヶ',
    'ぁあぃいぅうぇえぉおかがきぎくぐけげこごさざしじすずせぜそぞただちぢっつづてでとどなにぬねのはばぱひびぴふぶぷへべぺほぼぽまみむめもゃやゅゆょよらりるれろゎわゐゑをんゔゕゖ'),
    'ぁぃぅぇぉっゃゅょゎゕゖ', 'あいうえおつやゆよわかけ'),
    '(?<=[いきしちにひみりぎじびぴ])や', 'あ', 'g') collate pg_c_utf8
  from (select regexp_replace(regexp_replace(regexp_replace(translate(translate(regexp_replace(normalize(
    regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(text,
      '[\u00AD\u061C\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFE00-\uFE0F\uFEFF\uE000\uE001\U000E0100-\U000E01EF]', '', 'g'),
      '[\u0001-\u001F\u007F-\u009F]+', ' ', 'g'),
      '[™®©℠](?=[0-9A-Za-z\u00C0-\u024F\u3041-\u30FF\u3400-\u9FFF])', ' ', 'g'),
      '[™®©℠]', '', 'g'),
      '(?<=[0-9])(?=[\u00BC-\u00BE\u2150-\u215E])', ' ', 'g'),
      '(?<=[\u3041-\u3096\u30A1-\u30FA\u30FC\uFF66-\uFF9F])[\u2010-\u2015\u2212\u2500\u2501\uFF0D]', 'ー', 'g'),
    NFKC), '(?<=[\u3041-\u3096\u30A1-\u30FA\u30FC])[\u2010-\u2015\u2212\u2500\u2501]', 'ー', 'g'),
    '髙﨑嵜齋齊邊邉濵濱澤廣國嶋嶌櫻惠德栁桒冨𠮷眞靑淸黑瀨瀧曾壽實寶圓榮縣學鐵藝繪繩續絲豐醫錢關靈顏飮驛髮鷄麥麵麪點齒龜爲狀獨疊發稻穗篭蘆藥蟲螢裝觸讀變轉遙鎭雜雙靜頰體鹽黃燒燈爐畫當禮總聲臺舊莊萬藏處號衞覺觀讓賣輕醉隱餘騷齡佛來假傳價兒凉劍勞區卷參單嚴團圖壞壯奧姬孃寢寫將屆峽峯嶽巖帶彌彈從應懷戀戰戲拂搖收數晝晉條橫桧歐步歷歸殘每氣淨淺溪滿濕灣祕禪窗經纖罐聽蠶裡繡剝搔摑塡鷗蟬醬蠟頸萊瘦嚙囊屛幷槇啞穎攪麴鹼蔣禱桝彎簞繫吞瀆焰鴬驒俠軀靭竃諌壷鯵蛎薮蝿鈎涛亞惡壓圍緣溫穩會樂渴勸歡僞犧據擧虛挾狹鄕曉驅勳薰徑揭繼莖擊缺硏儉險圈檢權獻驗效恆鑛碎濟劑册慘棧贊辭舍釋澁獸縱肅緖敍奬稱涉證乘剩壤穰釀囑愼盡粹隨髓樞攝竊專潛踐搜插爭聰增臟卽屬墮對滯擇擔膽斷癡遲鑄廳徵敕遞黨盜鬪惱腦霸廢拜拔蠻甁竝辨瓣辯舖沒飜默譯與豫譽樣謠賴亂覽兩獵綠淚壘隸樓郞錄',
    '高崎崎斎斉辺辺浜浜沢広国島島桜恵徳柳桑富吉真青清黒瀬滝曽寿実宝円栄県学鉄芸絵縄続糸豊医銭関霊顔飲駅髪鶏麦麺麺点歯亀為状独畳発稲穂籠芦薬虫蛍装触読変転遥鎮雑双静頬体塩黄焼灯炉画当礼総声台旧荘万蔵処号衛覚観譲売軽酔隠余騒齢仏来仮伝価児涼剣労区巻参単厳団図壊壮奥姫嬢寝写将届峡峰岳巌帯弥弾従応懐恋戦戯払揺収数昼晋条横檜欧歩歴帰残毎気浄浅渓満湿湾秘禅窓経繊缶聴蚕裏繍剥掻掴填鴎蝉醤蝋頚莱痩噛嚢屏并槙唖頴撹麹鹸蒋祷枡弯箪繋呑涜焔鶯騨侠躯靱竈諫壺鰺蠣藪蠅鉤濤亜悪圧囲縁温穏会楽渇勧歓偽犠拠挙虚挟狭郷暁駆勲薫径掲継茎撃欠研倹険圏検権献験効恒鉱砕済剤冊惨桟賛辞舎釈渋獣縦粛緒叙奨称渉証乗剰壌穣醸嘱慎尽粋随髄枢摂窃専潜践捜挿争聡増臓即属堕対滞択担胆断痴遅鋳庁徴勅逓党盗闘悩脳覇廃拝抜蛮瓶並弁弁弁舗没翻黙訳与予誉様謡頼乱覧両猟緑涙塁隷楼郎録'),
    '‘’ʼ“”„‐‑−⁄', '''''''"""---/'),
    '(?<=[0-9\u4E00-\u9FFF々])[ヵケ](?=[\u4E00-\u9FFF])|(?<=[0-9一二三四五六七八九十百数])[かカ](?=[\u4E00-\u9FFF])', 'ヶ', 'g'),
    '(?<=[\u30A1-\u30F4\u30F7-\u30FA\u30FC])一(?=[\u30A1-\u30F4\u30F7-\u30FA\u30FC])', 'ー', 'g'),
    '(?<=[0-9]([mc]?m)?)[xX](?=[0-9])', '×', 'g') as plain) spelt
$$;
--> statement-breakpoint
-- The words of `latinTokens` in src/search/index/fold.ts: l'oreal is also found as loreal, dr.martens as drmartens.
create or replace function text_words(body text) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(coalesce(array_agg(distinct word), '{}')) from (
    select word[1] as word from regexp_matches(body, '[a-z0-9]+(?:[./][0-9]+)*', 'g') word
    union all
    select word[1] from regexp_matches(body, '[0-9]+|[a-z]+', 'g') word
    union all
    select translate(word[1], '-.&''', '')
    from regexp_matches(body, '[a-z0-9]+(?:-[a-z0-9]+)+|[a-z]+(?:[''.&][a-z]+)+', 'g') word
    union all
    select unnest(array[char, case when ascii(next) > 127 then char || next end])
    from (
      select char, lead(char) over (order by place) as next
      from unnest(string_to_array(body, null)) with ordinality u(char, place)
    ) pairs
    where ascii(char) > 127
  ) words where word is not null
$$;
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
    where product_text.body <> excluded.body or product_text.words <> excluded.words
      or (product_text.in_stock, product_text.popularity) <> (excluded.in_stock, excluded.popularity)
$$;
--> statement-breakpoint
-- Saved searches whose words are folded in another way now are looked at with every change, whatever the price: the
-- words that they are found by may be in no text any more.
with changed as (
  select b.saved_search_id from folded_before b join saved_search s using (saved_search_id)
  where b.folded <> fold_text(s.query ->> 'q')
), removed as (
  delete from saved_search_anchor a using changed c
  where a.saved_search_id = c.saved_search_id
    and (a.kind = 'word' or exists (select from unnest(a.also) key where starts_with(key, 'word ')))
  returning a.saved_search_id
)
insert into saved_search_anchor (kind, key, saved_search_id)
select distinct 'price', band::text, saved_search_id from removed, generate_series(0, 107) band
on conflict do nothing;
