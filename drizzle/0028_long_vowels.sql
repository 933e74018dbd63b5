-- A dash behind kana that only the compatibility form shows (㋐‐) is a long vowel too, as `normalise` in
-- src/search/index/normalise.ts reads it. Texts are written anew when their products change.
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
    regexp_replace(regexp_replace(normalize(
      regexp_replace(
        regexp_replace(
          regexp_replace(text, '[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF\uE000\uE001]', '', 'g'),
          '[\u0001-\u001F\u007F-\u009F]+', ' ', 'g'),
        '(?<=[\u3041-\u3096\u30A1-\u30FA\u30FC\uFF66-\uFF9F])[\u2010-\u2015\u2212\u2500\u2501\uFF0D]', 'ー', 'g'),
      NFKC), '(?<=[\u3041-\u3096\u30A1-\u30FA\u30FC])[\u2010-\u2015\u2212\u2500\u2501]', 'ー', 'g'),
      '(?<=[\u30A1-\u30FA\u30FC])一(?=[\u30A1-\u30FA\u30FC])', 'ー', 'g'),
    '髙﨑嵜齋齊邊邉濵濱澤廣國嶋嶌櫻惠德栁桒冨𠮷眞靑淸黑瀨瀧曾壽實寶圓榮縣學鐵藝繪繩續絲豐醫錢關靈顏飮驛髮鷄麥麵麪點齒龜爲狀獨疊發稻穗篭蘆藥蟲螢裝觸讀變轉遙鎭雜雙靜頰體鹽黃燒燈爐畫當禮總聲臺舊莊萬藏處號衞覺觀讓賣輕醉隱餘騷齡佛來假傳價兒凉劍勞區卷參單嚴團圖壞壯奧姬孃寢寫將屆峽峯嶽巖帶彌彈從應懷戀戰戲拂搖收數晝晉條橫桧歐步歷歸殘每氣淨淺溪滿濕灣祕禪窗經纖罐聽蠶裡繡剝搔摑塡鷗蟬醬蠟頸萊瘦嚙囊屛幷槇',
    '高崎崎斎斉辺辺浜浜沢広国島島桜恵徳柳桑富吉真青清黒瀬滝曽寿実宝円栄県学鉄芸絵縄続糸豊医銭関霊顔飲駅髪鶏麦麺麺点歯亀為状独畳発稲穂籠芦薬虫蛍装触読変転遥鎮雑双静頬体塩黄焼灯炉画当礼総声台旧荘万蔵処号衛覚観譲売軽酔隠余騒齢仏来仮伝価児涼剣労区巻参単厳団図壊壮奥姫嬢寝写将届峡峰岳巌帯弥弾従応懐恋戦戯払揺収数昼晋条横檜欧歩歴帰残毎気浄浅渓満湿湾秘禅窓経繊缶聴蚕裏繍剥掻掴填鴎蝉醤蝋頚莱痩噛嚢屏并槙') as plain) spelt
$$;
