import { fold } from "../../index/fold.ts";

/**
 * Kanji by reading. What stands behind a dot is also left out or written in kana: 飾り and 雛飾. `=`: the kanji are read so
 * together.
 */
const table = `
あ.い 合|あ.げ 揚|あ.み 編|あい 藍相愛|あお 青蒼碧|あお.い 青|あおい 葵|あか 赤朱|あか.い 赤|あき 秋|あく 悪握|あけ 明|あさ 朝麻浅|あし 足脚|あじ 味鯵|あせ 汗|あそ.び 遊|あたた 温暖|あたま 頭|あたら 新|あつ 圧厚
あつ.い 熱暑|あつま 集|あな 穴|あに 兄|あね 姉|あぶら 油脂|あま 天雨尼|あま.い 甘|あみ 網|あめ 雨飴|あや 綾|あゆ 鮎|あら 荒新|あら.い 洗粗|あわ 泡粟|あわび 鮑|あん 安案暗餡行|い 医衣異位囲委易胃意居井椅藺猪違維緯遺
い.り 入煎|い.れ 入|いえ 家|いく 育|いけ 池|いし 石|いた 板|いた.め 炒|いち 一市壱|いつ 逸|いと 糸|いな 稲|いぬ 犬|いね 稲|いのち 命|いも 芋|いもうと 妹|いろ 色|いわ 岩|いわし 鰯|いん 印院飲員因音|う 羽右雨宇烏卯鵜
う.き 浮|うえ 上|うお 魚|うご.き 動|うさぎ 兎|うし 牛丑|うす 薄臼|うす.い 薄|うた 歌|うち 内|うつ.し 写|うつく 美|うつわ 器|うで 腕|うなぎ 鰻|うま 馬午|うみ 海|うめ 梅|うら 裏浦|うるし 漆|うわ 上|うん 運雲
え 絵江柄恵餌会|えい 英映栄永影鋭衛泳営|えき 駅液益|えだ 枝|えつ 越悦閲|えり 襟衿|えん 園円遠縁演塩宴鉛煙炎苑燕援延|お 小尾緒男御雄|お.き 置|お.し 押|お.り 折織|おう 王黄央欧奥横桜応|おお 大|おか 岡丘|おき 沖置|おく 屋奥億
おけ 桶|おさ 長|おし 押|おと 音|おとうと 弟|おとこ 男|おに 鬼|おび 帯|おも.い 重|おもて 表|おや 親|おろし 卸|おん 音温恩御|おんな 女|か 化火加花家歌科果香価菓靴過荷鹿蚊課架夏可仮華下貨稼嫁|か.い 買飼|か.え 替換|か.き 掻
か.け 掛欠|か.り 借狩|かい 会界海階回開貝械怪改絵介解快皆|かえ 楓|かえ.る 蛙帰返|かお 顔|かおり 香|かがみ 鏡|かき 柿|かぎ 鍵|かく 角各格革画核閣確拡較獲|かけ 掛|かげ 影|かご 籠|かさ 傘笠|かざ.り 飾|かし 樫|かしわ 柏
かす 粕|かすみ 霞|かず 数|かぜ 風|かた 型形肩方片|かた.い 硬固|かた.づけ 片|かたな 刀|かつ 活割滑渇喝勝|かつお 鰹|かど 角門|かな 金|かに 蟹|かね 金鐘|かば 樺|かばん 鞄|かぶ 株|かぶと 兜|かべ 壁|かま 釜鎌窯
かみ 紙神髪上|かめ 亀瓶|かも 鴨|かや 茅|から 空柄唐殻|から.い 辛|からだ 体|かる.い 軽|かわ 川河革皮|かわら 瓦|かん 缶館管感間乾寒巻簡完官漢環観看干甘柑幹韓肝冠歓患羹貫換勧鑑監緩刊汗|かんざし 簪|かんな 鉋|が 画芽雅牙
がい 街害外涯概|がく 学楽額岳|がつ 月合|がま 蒲|がん 岩丸元願眼顔岸雁|き 木機気期器記季黄着生貴希基帰揮起旗規喜紀来騎奇伎棋鬼樹亀輝城祈幾|き.り 切|きく 菊|きし 岸|きず 傷|きた 北|きつ 喫詰|きつね 狐|きぬ 絹|きね 杵|きみ 君
きゃく 客脚却|きゅう 九球急休吸究求旧弓宮給級泣救及|きょ 去許巨拠居距|きょう 京強教橋鏡経共競協郷胸恭供狂興響況境峡狭|きょく 曲局極玉|きよ 清|きり 霧桐|きん 金筋近禁均勤菌琴巾斤|ぎ 技義議儀着疑戯|ぎゃく 逆|ぎゅう 牛|ぎょ 魚漁御
ぎょう 行業形仰餃|ぎょく 玉|ぎん 銀吟|く 九口区工久句苦供宮紅玖|く.み 組|くう 空|くき 茎|くぎ 釘|くさ 草|くし 串櫛|くじ 籤|くじら 鯨|くすり 薬|くず 葛|くち 口|くつ 靴掘屈|くに 国|くび 首|くま 熊|くも 雲|くら 倉蔵鞍
くら.べ 比|くり 栗|くるま 車|くろ 黒|くろ.い 黒|くわ 桑鍬|くん 君訓薫|ぐ 具|ぐう 偶隅|ぐん 軍群郡|け 毛家気化|け.し 消|けい 計形経系携警軽景型敬契競恵啓径罫継蛍|けつ 血決結欠潔|けむり 煙
けん 県研検健兼件券見建犬剣権圏憲拳鹸険献賢堅|げ 下毛外夏|げい 芸|げき 劇激撃|げつ 月|げん 原元減限現源玄幻言弦験|こ 小古庫湖子粉木呼故固個戸鼓胡虎雇|こ.み 込|こい 鯉恋
こう 高校工行口光香甲紅交公広康後幸航鋼硬孝功候耕講厚港向江考攻皇効購郊更膏稿|こうじ 麹|こえ 声|こおり 氷|こく 国黒石告刻穀|こけ 苔|こころ 心|こし 腰|こつ 骨|こと 琴事|こな 粉|こま 駒|こま.か 細|こめ 米|こも 薦|ころも 衣
こん 今根混婚昆紺金魂|ご 五御語後碁護午悟呉|ごう 号合郷豪剛|ごん 権言|さ 差佐茶作左砂査沙|さ.げ 下提|さ.し 挿|さい 菜才細祭歳西彩最再災採裁妻済斎財催砕|さお 竿|さか 酒坂|さかい 境|さかき 榊|さかずき 杯盃|さかな 魚肴|さき 先崎
さく 作策昨冊柵索|さくら 桜|さけ 酒鮭|ささ 笹|さし 刺差|さつ 札刷撮冊察殺|さと 里郷|さば 鯖|さむ.い 寒|さめ 鮫|さら 皿|さる 猿申|さわ 沢|さん 三山産散参算酸珊讃|ざ 座子|ざい 材剤財在|ざつ 雑|ざん 残
し 四子紙糸仕市史氏私詩刺使志師紫試枝矢司指始止士脂視姿死資飼支思示|しお 塩潮|しおり 栞|しか 鹿|しき 式色敷織識|しぎ 鴫|した 下舌|しち 七質|しつ 室質湿失漆|しば 芝柴|しぶ.い 渋|しぼ.り 搾絞|しま 島縞嶋|しみ 染|しも 霜下
しゃ 車社写者射斜舎煮捨謝|しゃく 尺釈杓|しゅ 手酒主種首朱守取趣珠|しゅう 秋周集週収習終修衆宗州祝拾臭就秀襲|しゅく 宿祝縮|しゅつ 出|しゅん 春瞬旬俊|しょ 書所初暑署|しょう 小商匠消証照章賞焼将松省象笑唱粧生正昭性障抄醤椒承招詳勝
しょく 食色植職飾織触|しる 汁|しろ 白城|しろ.い 白|しん 新真心針森身深信寝神進親芯診薪津振紳審侵|じ 寺地字時自事持児治耳磁慈路次滋辞|じく 軸|じつ 実日|じゃ 蛇邪|じゃく 弱着雀|じゅ 樹受寿授|じゅう 十重住充従柔頭縦|じゅく 熟塾
じゅつ 術|じゅん 純順準潤循巡|じょ 女除助序|じょう 上場丈情常定条状蒸縄乗城成錠畳醸譲|じり 尻|じん 人神刃陣参迅|す 酢巣素州子須|す.い 吸|す.き 好|す.て 捨|す.り 刷|すい 水吹炊推酔粋|すう 数|すぎ 杉|すけ 助|すすき 薄
すず 鈴涼|すな 砂|すべ.り 滑|すみ 炭墨角隅|ず 図頭豆|せ 背瀬世|せい 生正製制精性成西青星清聖声晴整静政誠勢請|せき 石席赤関積籍跡績|せつ 雪切設説節接折摂|せま.い 狭|せみ 蝉|せん 千線先船洗選泉扇専戦煎浅染銭繊仙川栓剪箋鮮遷|ぜい 税
ぜつ 絶|ぜん 前全膳善然禅|そ 祖粗組素疎|そ.り 反剃|そう 草装掃窓奏早倉総送走層操桑騒相創双荘箏燥素想僧葬|そく 足速束側測息燭即則|そつ 卒|そで 袖|そと 外|その 園|そば 側|そめ 染|そら 空|そん 村損|ぞう 象蔵像造雑増臓|ぞく 族続
ぞん 存|た 田手多太他|た.て 立|たい 体太台対帯待鯛袋退隊泰耐態貸|たか 高鷹|たか.い 高|たから 宝|たき 滝|たく 宅卓托沢濯択託|たけ 竹丈岳武茸|たけのこ 筍|たこ 凧蛸|たた.み 畳|たち 太刀|たちばな 橘|たつ 達竜辰|たて 縦盾
たな 棚|たに 谷|たぬき 狸|たね 種|たの.し 楽|たび 旅|たま 玉球弾霊|たまご 卵|たら 鱈|たる 樽|たん 丹反単短炭担端淡探鍛誕毯胆|だ 打駄舵|だ.き 抱|だ.し 出|だい 大台第代題|だし 出|だつ 獺脱奪|だん 団男段弾暖断談壇
ち 地知治池置千血乳値遅稚致|ちか 近|ちく 竹築蓄畜|ちち 父乳|ちつ 秩|ちゃ 茶|ちゃく 着|ちゅう 中虫昼注柱鋳宙駐忠酎|ちょ 貯著|ちょう 長朝町鳥帳調頂超丁腸蝶張挑釣聴彫庁重|ちょく 直|ちり 塵|ちん 珍陳|つ 津|つ.け 付|つ.り 釣
つい 対追|つう 通痛|つえ 杖|つか 塚柄|つか.い 使|つき 月|つく.り 作造|つくだ 佃|つけ 付漬|つち 土槌|つつ 筒|つつ.み 包|つな 綱|つの 角|つば 鍔|つばき 椿|つぼ 壺|つま 妻|つめ 爪詰|つや 艶|つゆ 露|つよ.い 強
つる 鶴弦|づけ 漬|て 手|て.り 照|てい 帝低定庭底停堤提偵訂締程|てき 的適滴笛敵摘|てつ 鉄徹哲|てら 寺|てん 天店点電展典転添|でい 泥|でん 電田伝殿|と 戸都土登斗図途塗渡鳥砥研徒|と.ぎ 研|と.め 止留|と.り 取撮採
とう 東頭島登灯湯刀糖豆投塔党陶等冬当藤答統桃唐透討凍搭踏盗|とお 遠|とく 特徳得督|とこ 床|とし 年歳|とつ 凸突|とび 鳶|とま 苫|とも 友|とら 虎寅|とり 鳥鶏酉|とん 豚団|ど 土度奴|どう 道動銅堂同童導胴働|どく 読毒独|どん 丼鈍飩
どんぶり 丼|な 名菜奈那|ない 内|なえ 苗|なか 中仲|なが.い 長|なき 泣|なし 梨|なつ 夏納|なな 七|なべ 鍋|なま 生|なまり 鉛|なみ 波並|なわ 縄|なん 南男軟難|に 二荷仁煮日|に.ぎり 握|にぎ.り 握|にく 肉|にし 西|にしき 錦
にち 日|にゅう 入乳|にょう 尿|にわ 庭|にわとり 鶏|にん 人任認忍|ぬ.き 抜|ぬ.り 塗|ぬの 布|ぬま 沼|ね 音根値子寝|ね.り 練|ねぎ 葱|ねこ 猫|ねつ 熱|ねむ.り 眠|ねん 年念燃粘|の 野|の.せ 乗|の.み 飲|の.り 乗
のう 農脳能濃納|のこぎり 鋸|のぼ.り 登|のり 海苔糊|は 葉歯羽刃波破派|は.き 履|は.り 張貼|はい 配灰杯背肺敗排牌廃|はか.り 秤量|はく 白箔博泊拍薄迫舶|はこ 箱|はさ.み 挟|はさみ 鋏|はし 橋箸端|はし.り 走|はしら 柱|はた 旗畑
はち 八鉢蜂|はつ 発初髪|はと 鳩|はな 花鼻華|はは 母|はば 幅|はま 浜|はまぐり 蛤|はや.い 早速|はり 針|はる 春|はん 半版判反販飯犯帆般斑繁範搬|ば 馬場羽|ばい 倍売買梅培媒|ばく 爆麦|ばつ 抜罰|ばん 番板盤晩万絆
ひ 火日皮比飛非費秘肥避被疲|ひ.き 引挽|ひかり 光|ひがし 東|ひき 引|ひく.い 低|ひげ 髭|ひざ 膝|ひし 菱|ひたい 額|ひだり 左|ひつ 筆必|ひつじ 羊|ひと 人一|ひな 雛|ひのき 檜|ひめ 姫|ひも 紐|ひゃく 百|ひょう 表氷評標豹漂票
ひら 平|ひろ.い 広|ひん 品|び 美備微鼻尾|びょう 病秒描鋲|びん 瓶便敏|ふ 布不府婦富付父普負麩譜腐風|ふ.り 振|ふう 風封夫|ふえ 笛|ふか.い 深|ふき 吹拭|ふく 服福複副腹覆復|ふくろ 袋|ふし 節|ふじ 藤|ふすま 襖|ふた 蓋二
ふだ 札|ふち 縁|ふつ 仏沸|ふで 筆|ふと.い 太|ふな 船鮒|ふね 船舟|ふみ 文|ふゆ 冬|ふる.い 古|ふん 粉分噴|ぶ 部武舞無分|ぶた 豚|ぶつ 物仏|ぶり 鰤|ぶん 文分|へい 平兵幣|へき 壁|へび 蛇|へん 変編辺片|べい 米餅|べっ 鼈
べつ 別|べに 紅|べん 弁便勉|ほ 保歩帆補穂|ほ.し 干欲|ほ.り 彫掘|ほう 方法包宝報放芳豊砲縫庖焙訪邦|ほうき 箒|ほお 頬|ほく 北|ほし 星|ほそ 細|ほそ.い 細|ほたる 蛍|ほね 骨|ほのお 炎|ほら 洞|ほん 本|ぼ 母簿墓
ぼう 棒帽防房望坊紡忘貿暴|ぼく 木牧墨|ぼっ 坊|ぼん 盆凡|ま 真間麻馬魔摩|ま.き 巻|ま.げ 曲|ま.ぜ 混|まい 米枚毎舞|まえ 前|まき 薪牧|まく 幕膜|まくら 枕|まぐろ 鮪|まご 孫|まさ 正|ます 枡|また 股|まち 町|まつ 松末抹
まつり 祭|まど 窓|まめ 豆|まゆ 眉繭|まる 丸|まる.い 丸円|まわ.し 回|まわ.り 回|まん 万満漫慢饅|み 三見実身味未美水御魅|みが.き 磨|みき 幹|みぎ 右|みじか.い 短|みず 水|みせ 店|みち 道|みつ 蜜密|みどり 緑|みなと 港
みなみ 南|みね 峰|みの 蓑|みみ 耳|みや 宮|みょう 明名|みん 民眠|む 無六夢武務|む.き 剥|む.し 蒸|むぎ 麦|むし 虫|むす.び 結|むすび 結|むすめ 娘|むね 胸棟|むら 村|むらさき 紫|め 目眼女芽|めい 明名銘迷盟|めし 飯
めつ 滅|めん 面綿麺免|も 毛藻模|も.ち 持|も.り 盛|もう 毛網|もく 木黙|もち 餅|もつ 物|もと 本元|もど.し 戻|もの 物者|もみ 籾|もも 桃腿|もり 森盛守|もん 門紋文問|や 屋矢夜野家八谷焼|や.き 焼|やいば 刃|やき 焼
やく 薬約役焼訳躍|やす.い 安|やなぎ 柳|やま 山|やみ 闇|やわ.らか 柔|ゆ 湯油由輸|ゆう 夕友優遊郵有勇雄裕誘融|ゆか 床|ゆき 雪|ゆび 指|ゆみ 弓|ゆめ 夢|よ 夜世予四|よ.み 読|よう 用洋葉陽羊容曜様要養溶羹揺擁|よく 浴翌|よこ 横
よし 吉|よろい 鎧|よん 四|ら 羅裸|らい 来雷頼|らく 楽落絡酪|らん 蘭卵乱藍嵐覧欄|り 里理利裏離梨李|りき 力|りく 陸|りつ 立律率|りゃく 略|りゅう 竜龍流留粒|りょ 旅慮|りょう 料両量領良療涼寮猟|りょく 緑力|りん 輪林鈴臨|る 瑠留
るい 類涙|れい 冷例礼零鈴霊齢令励|れき 歴暦|れつ 列烈|れん 連練恋蓮錬|ろ 炉路露呂|ろう 老労郎朗廊蝋浪楼|ろく 六録緑|ろん 論|わ 輪和羽話我|わ.け 分|わ.り 割|わか.い 若|わき 脇|わく 枠惑|わけ 訳|わざ 技|わし 鷲|わた 綿
わに 鰐|わら 藁|わん 椀碗湾腕|あさり =浅蜊|あじさい =紫陽花|あずき =小豆|いか =烏賊|いす =椅子|いなか =田舎|うちわ =団扇|うどん =饂飩|うーろん =烏龍|えび =海老|おとな =大人|かき =牡蠣|かぐら =神楽|かっぱ =合羽
かぼちゃ =南瓜|かや =蚊帳|きゃたつ =脚立|きゅうり =胡瓜|ぎんなん =銀杏|くだもの =果物|くるみ =胡桃|げた =下駄|こいのぼり =鯉幟|こしょう =胡椒|こま =独楽|こんにゃく =蒟蒻|こんぺいとう =金平糖|こーひー =珈琲
ごぼう =牛蒡|ごま =胡麻|さしみ =刺身|さぬき =讃岐|さんご =珊瑚|さんま =秋刀魚|しいたけ =椎茸|ししゃも =柳葉魚|しない =竹刀|しばふ =芝生|しめ =注連|しゃみ =三味|しゃもじ =杓文字|しゅうまい =焼売|しょうが =生姜
しょうぶ =菖蒲|しょうゆ =醤油|しらが =白髪|じゃり =砂利|じゅず =数珠|じょうろ =如雨露|すいか =西瓜|すし =寿司|すだち =酢橘|すもう =相撲|せった =雪駄|そば =蕎麦|ぞうり =草履|たちうお =太刀魚|たなばた =七夕
たばこ =煙草|たび =足袋|たんす =箪笥|ちょうちん =提灯|つげ =柘植|つゆ =梅雨|てんぷら =天麩羅|とけい =時計|とっくり =徳利|とろろ =薯蕷|なす =茄子|なまこ =海鼠|にんにく =大蒜|ねじ =螺子|のし =熨斗|のり =海苔
のれん =暖簾|はがき =葉書|はけ =刷毛|はね =羽根|ばら =薔薇|ひとり =一人|ひまわり =向日葵|ひょうたん =瓢箪|ふぐ =河豚|ふじ =富士|ふたり =二人|ふとん =布団|ぶどう =葡萄|へや =部屋|まいたけ =舞茸|まーじゃん =麻雀
みかん =蜜柑|みこし =神輿|みそ =味噌|みやげ =土産|みりん =味醂|めおと =夫婦|めがね =眼鏡|もくめ =木目|もなか =最中|もみじ =紅葉|やまと =大和|ゆかた =浴衣|ゆず =柚子|ゆば =湯葉|ゆり =百合|りんご =林檎
れもん =檸檬
い 移偉威囲|う.え 植|う.け 受|うぶ 産|お.し 推|おお 太|おお.い 覆|か.り 刈|が 賀|かい 懐廻悔塊|かえで 楓|かく 覚隔穫|かさ.ね 重|かつ 葛括|かん 艦閑喚|がん 玩含|き 寄企軌嬉|きっ 切|きば 牙|きょう 恐矯|きら.い 嫌|きん 緊|くす 楠|くん 燻|けい 傾掲慶渓|けず.り 削|けやき 欅|けん 鍵顕|げん 厳
こ 孤弧枯|こ.げ 焦|こ.し 漉濾|ご 碁|こう 酵構抗項|ごく 極|こと 言|こん 梱|さ.び 錆|さ.まし 覚冷|さい 栽際載|さか 阪|さく 削|さじ 匙|ざる 笊|し 誌姿施|じ 除似|じゃく 寂|じゅ 呪|しゅう 繍蹴|じゅう 汁獣銃|じゅん 潤|しょ 諸|じょう 浄状|しょう 晶称昇聖装|しょく 燭殖|しわ 皺|しん 伸|じん 塵尽|す 棲
すい 翠|すず.しい 涼|すずめ 雀|すみれ 菫|せい 勢誓|せん 旋|そ 礎|そ.め 染|そう 槽宗喪壮|そろ.え 揃|た.き 焚炊|たい 滞|たたき 叩|たま 魂|ち 智|ちょう 眺|つ 突|つ.み 積摘|つ.り 吊|つな.ぎ 繋|つばさ 翼|つばめ 燕|と.じ 綴閉|と.び 跳飛|とい 樋|とう 筒闘|どう 瞳|とく 匿|とち 栃|とも.し 灯|にら 韮|ぬ.れ 濡
ぬぐ.い 拭|ねじ 捻|の.び 伸|の.み 呑|のう 悩|は 把|は.き 掃|はか.り 計|はぎ 萩|はだ 肌|はら 腹|はん 汎|ひ 緋披灯|ひ.え 冷|ひいらぎ 柊|ひょう 俵|びん 敏|ふ 膚符|ふう 封|ふき 蕗|ふくろう 梟|ほ 哺捕|ほう 胞飽泡|ぼう 膨|ほこり 埃|ま.き 蒔|みゃく 脈|めい 命鳴|もも 股|やわ.らか 柔軟|ゆ 癒愉|ゆう 悠|よ.け 除
よう 腰踊|り 璃|りゅう 硫隆|りょう 糧|りん 隣麟|れい 麗苓|れん 煉|ろう 漏|わらび 蕨|しゃ 遮|しゃく 芍|し.め 締|も 喪|つま 爪|しゅく 祝|つう 通痛|いん 隕陰|まも.り 守|おく.り 送贈|いわ.い 祝|あかり 灯明|あんず 杏|あんどん =行灯|いろり =囲炉裏|うに =雲丹|かぜ =風邪|かっぽう =割烹|かまぼこ =蒲鉾|かみそり =剃刀|ききょう =桔梗|こたつ =炬燵
こはく =琥珀|さざえ =栄螺|さむえ =作務衣|ざくろ =石榴|しそ =紫蘇|しっぽ =尻尾|じゅうたん =絨毯|じんべい =甚平|すっぽん =鼈|ちょうつがい =蝶番|ちょこ =猪口|なんきん =南京|はっぴ =法被|はんてん =半纏|ひすい =翡翠|ひらめ =平目|びょうぶ =屏風|びわ =枇杷|ほおずき =鬼灯|ほたて =帆立|みょうが =茗荷|めのう =瑪瑙|ようじ =楊枝
わかめ =若布|わさび =山葵
い 伊揖以|ぞう 蔵|とう 藤|の 之乃濃|や 舎弥哉|のぶ 伸信|からし =辛子|めん 明|あり 有|しるし 印|さとる 悟|のど 喉|ほうろう =琺瑯|はやし 林|てい 亭|けい 桂|むね 宗|すみ 澄|じ 治而|こん 今|まさ 政昌|で 出|いそ 磯|ぐ 狗|きゅう 久|しがらき =信楽|とこ 常|なめ 滑|まし 益|さつ 薩
あい 会|えち 越|つむぎ 紬|いまばり =今治|くるめ =久留米|かすり 絣|せき 関|さかい 堺|だ 騨|そ 曽|な 奈|ら 良|いずも =出雲|こうべ =神戸|おうみ =近江|よね 米|さわ 沢|たじま =但馬|ご 児吾互|うれし 嬉|さ 狭|こぶ =昆布|ごと 如|ぼく 牧|かた.り 語|たん 炭譚|かまど 竈|ぜん 善|ごく 獄|きょう 杏
とみ 富|めぐみ 恵|そん 孫|くう 空|みつ 三光|くれ 呉|ひたち =日立|そう 爽惣|たび =足袋|じゅばん =襦袢|ちゃぶ =卓袱|だて =伊達|すじ 筋|あんこう =鮟鱇|ひ 干|たく 沢|さめ 雨|しら 白|ふたえ =二重|ばれいしょ =馬鈴薯|たけのこ 筍|きょ 巨|いちじく =無花果|さく 朔|かぶとむし =甲虫|ひじ 肘
すだれ 簾|よしず =葦簀|はしご =梯子|しっくい =漆喰|よ 代|すずり 硯|たわし =束子|せん 筅|なつめ 棗|おと.し 落|せいろ =蒸籠|せいろ =蒸篭|びわ =枇杷|びわ =琵琶|すけ 介助|ひさ 久|ひろ 弘浩広|かず 和|よし 義芳良美|たか 隆孝|とし 利|やす 康|てる 照輝|ただ 忠|しげ 茂重|かつ 克|くに 国邦|つね 恒|のり 典則徳
ゆき 幸|さき 崎咲|なが 永|すず 鈴|つか 塚|たに 谷|なか 仲|ほり 堀|かつら 桂|あさひ 旭|いおり 庵|あん 庵|しずく 雫|とうげ 峠|がた 潟|つくえ 机|いちご 苺|ばち 撥|ちゅう 鍮|しょう 硝衝少症昌|つか.み 掴|ころ 頃|く 駆|ぞく 属|しょ 処|あ 亜|はかま 袴|つ.け 浸|はら.い 払|こ 己|き 己既|かん 慣|けた 桁|ほ 舗
りょう 了|こし 越|かく 郭|はた 幡|けん 軒|へん 篇|ぼう 謀|かく.し 隠|かば 蒲|じん 尋
いばら 茨|ひこ 彦|おきな 翁|すん 寸|せき 昔|むかし 昔|あられ 霰|れつ 裂|はい 輩|とう 燈|あかり 燈|そう 漱|だったん =韃靼|かげろう =陽炎
あ.がり 上|あ.げ 上|あ.て 当|あい 間|あが.り 上|あずま 東|あつか.い 扱|あと 後跡|あぶ.り 炙|あらし 嵐|あわ.せ 合|い.い 言|い.き 生|いき 域息|う.ち 打|う.まれ 生|う.り 売|うし.ろ 後|うつ.し 移|うろこ 鱗|えき 役|えん 沿|お.い 追|お.き 起|お.ち 落|おど.り 踊|おの 斧|おも 面|おも.い 思
か.け 懸|か.れ 枯|かい 灰壊戒|かえ.し 返|かき 垣|かく 客|かざ 風|かしら 頭|かつ 褐|かぶ.り 被|かめ 甕|からす 烏|かわ.り 変|かん 関寛|がい 蓋|き.き 利聞|き.り 錐|きも 肝|きょう 驚|きょ 挙|きり 錐|きわ 際|きん 謹|く.い 食|く.み 汲|く.らし 暮|くず 屑|くず.し 崩|くら.い 暗|ぐう 宮|けい 珪鶏茎|けん 験懸間|げん 間人|こ.し 越
こう 好鉱興降荒孔|ごう 強|さ.き 咲|さか 逆|さつ 擦|さま 様|さむらい 侍|さら.し 晒|さん 賛|し 獅|しず.か 静|しな 品|しゃく 酌|しょ 緒|しょう 傷相床焦井鐘|しん 震浸|じき 直|じょう 井|す.え 据|す.かし 透|す.み 澄|す.り 摺擂擦|すい 垂睡|すがた 姿|すし 鮨|すす 煤|すそ 裾|せい 世盛|せん 尖|そう 蒼藻|そこ 底|そん 尊|た.し 足|た.ち 立|た.べ 食
た.め 溜|た.れ 垂|たい 大|たらい 盥|ち 刀|ちか.い 違|ちが.い 違|ちから 力|ちょう 潮|つ.ぎ 継|つか.い 遣|つじ 辻|つづ.き 続|つら 面|つる 蔓|てい 弟丁呈|で 弟|とう 倒|とお.し 通|とき 時|ところ 所|どろ 泥|な.げ 投|な.し 無|な.り 生鳴|なお.し 直|なが.し 流|なが.れ 流|なた 鉈|なに 何|なみだ 涙|なら.び 並|ぬ.い 縫|ぬか 糠|ね 似|ねずみ 鼠|ねん 然|のう 王
は 跳|はい 拝俳|はえ 蝿|はず.し 外|はな.し 話離|はら 原|ひた.し 浸|ひら.き 開|ふ.き 吹|ふ.み 踏|ふく 幅伏|ふんどし 褌|ぶん 聞|へい 閉|へき 碧|へら 箆|へん 返|ぼ 暮|ま.い 舞|ま.ち 待|まい.り 参|まつ.り 祭|まないた 俎|まわ.り 廻|みょう 妙|む.かえ 迎|む.け 向|むか.い 向|むすこ =息子|も 文|も.み 揉|もう 猛|もく 目|もん 聞|や.せ 痩|やく 厄|やす.み 休|やすり 鑢|やっこ 奴
やど 宿|やぶ.れ 破|やり 槍|ゆ.き 行|ゆう 幽|よ 余|よ.せ 寄|よ.び 呼|よい 宵|よう 幼揚妖|よく 欲翼|よめ 嫁|ろう 籠|わた.し 渡|わら.い 笑|わる 悪
あした =明日|おもちゃ =玩具|かかし =案山子|かし =河岸|きせる =煙管|きのう =昨日|きょう =今日|くじゃく =孔雀|さなだ =真田|さらさ =更紗|さつき =五月|ざこ =雑魚|しぐれ =時雨|じょうず =上手|たいまつ =松明|たんぽぽ =蒲公英|ちりめん =縮緬|つくし =土筆|とうもろこし =玉蜀黍|ところてん =心太|にんぎょ =人魚|はなび =花火|ひしゃく =柄杓|ひとえ =単衣|ふくさ =袱紗
ぼんぼり =雪洞|もめん =木綿|やかん =薬缶|わかさぎ =公魚|わらじ =草鞋`;

/** As input methods and titles differ, of a folded text: no や beside あ, one letter for the two sounds of じ and of ず. */
const spoken = (folded: string) =>
  folded.replaceAll("や", "あ").replaceAll("ぢ", "じ").replaceAll("づ", "ず");
const kanji = /[々㐀-䶿一-鿿]/;
const isKanji = (letter: string) => kanji.test(letter);

interface Readings {
  /** Kanji with a reading of them, by the first one. */
  byKanji: Map<string, (readonly [string, string])[]>;
  /** Kanji that a word may begin with, by how it then begins. */
  beginners: Map<string, Set<string>>;
  /** All readings of one kanji. */
  alone: Map<string, Set<string>>;
}

function createReadings(say: (folded: string) => string): Readings {
  const [byKanji, beginners]: [Readings["byKanji"], Readings["beginners"]] = [new Map(), new Map()];
  // Folded at once: letter by letter would take a tenth of the time of a start.
  for (const row of fold(table.replaceAll("\n", "|")).split("|")) {
    const [kana = "", written = ""] = row.split(" ");
    const keys = written.startsWith("=") ? [written.slice(1)] : Array.from(written);
    const forms = new Set(formsOf(kana).map(say));
    for (const key of keys) {
      const first = key.charAt(0);
      const known = byKanji.get(first) ?? [];
      if (known.length === 0) byKanji.set(first, known);
      for (const form of forms) {
        if (!known.some((one) => one[0] === key && one[1] === form)) known.push([key, form]);
        beginners.set(form, (beginners.get(form) ?? new Set()).add(first));
      }
    }
  }
  const alone = Array.from(byKanji, ([kanji, read]): [string, Set<string>] => [
    kanji,
    new Set(read.flatMap(([key, reading]) => (key === kanji ? [reading] : []))),
  ]);
  return { byKanji, beginners, alone: new Map(alone) };
}

/** Latin letters seldom tell long vowels: zojirushi, toraya, osaka. */
const shortened = (said: string) =>
  said.replaceAll(/(?<=[おこそとのほもよろごぞどぼぽうくすつぬふむゆるぐずぶぷ])う|(?<=お)お/g, "");

const readings = createReadings(spoken);
let ofLatin: Readings | undefined;

/** かざ, かざり, がざり: a part of a compound is often voiced; がっ (folded: がつ) for がく before another sound. */
function formsOf(kana: string): string[] {
  const whole = [kana.replace(".", ""), kana.replace(/\..*/, "")];
  const soft = whole
    .map((form) => form.replace(/[きくちつ]$/, "つ"))
    .filter((form) => form.length > 1);
  return [...whole, ...soft].flatMap((form) => [
    form,
    ...["\u3099", "\u309A"].flatMap((mark) => {
      const voiced = (form.charAt(0) + mark + form.slice(1)).normalize("NFC");
      return voiced.length === form.length ? [voiced] : [];
    }),
  ]);
}

/** Longer words are no Japanese compounds, and would cost too much. */
const maxLetters = 12;
/** Shorter kana are read from too many kanji; katakana are mostly no Japanese words. */
const isReadable = /^(?:[ぁ-ゖー]{3,}|[ァ-ヺー]{4,}|.*[一-鿿々].*)$/;

/** The Japanese words of titles, to be found by how they are read. */
export interface ReadableWords {
  /** All, with spaces between them. */
  all: string;
  /** Runs from each letter that a word may begin at, by this letter: as they are spoken, then folded. */
  byFirst: Map<string, Map<string, string>>;
}

/** `runs`: folded. */
export function toReadable(runs: readonly string[]): ReadableWords {
  const byFirst: ReadableWords["byFirst"] = new Map();
  for (const run of runs) {
    const said = spoken(run);
    for (let at = 0; at < run.length; at += 1) {
      const first = said.charAt(at);
      if (at > 0 && !isKanji(first) && !isKanji(said.charAt(at - 1))) continue;
      const known = byFirst.get(first) ?? new Map<string, string>();
      if (known.size === 0) byFirst.set(first, known);
      known.set(said.slice(at, at + maxLetters), run.slice(at, at + maxLetters));
    }
  }
  return { all: runs.join(" "), byFirst };
}

/** The same for kana of Latin letters: 象印 for ぞじるし of zojirushi, ちいかわ for chiikawa. */
export function readAsLatin(kana: string, words: ReadableWords): string[] {
  const { length } = kana;
  if (length < 3 || length > maxLetters) return [];
  ofLatin ??= createReadings((folded) => shortened(spoken(folded)));
  const own = words.all.includes(kana) && createIsWord(words.all)(kana) ? [kana] : [];
  return [...own, ...formsReadAs(shortened(spoken(kana)), words, ofLatin, isKanji)];
}

/**
 * Words of titles that are read as a typed one, folded: 老眼鏡 for ろうがんきょう, だんぼーる for 段ボール. A word that titles
 * have as it was typed has other forms only if it is long and in hiragana: many short ones are said alike.
 */
export function readAlike(typed: string, words: ReadableWords): string[] {
  const word = fold(typed);
  if (word.length > maxLetters || !isReadable.test(typed)) return [];
  const isKana = !isKanji(word);
  const isLong = isKana && word.length > 3 && !/[ァ-ヺ]/.test(typed);
  if (!isLong && words.all.includes(word)) return [];
  return formsReadAs(spoken(word), words, readings, (form) =>
    isKana ? isKanji(form) : form.length > 3 || hasSame(word, form),
  );
}

function formsReadAs(
  said: string,
  { all, byFirst }: ReadableWords,
  readings: Readings,
  isTold: (form: string) => boolean,
): string[] {
  const { byKanji, beginners } = readings;
  const own = (byKanji.get(said.charAt(0)) ?? []).map(([, reading]) => reading);
  const beginnings = [...own, ...Array.from(said, (_, i) => said.slice(0, i + 1))].flatMap(
    (beginning) => [...(beginners.get(beginning) ?? [])],
  );
  /** By form, whether it stands somewhere without more kanji behind it. */
  const found = new Map<string, boolean>();
  const isWord = createIsWord(all);
  const isWritten = kanji.test(said);
  const firsts = [said.charAt(0), ...own.map((reading) => reading.charAt(0)), ...beginnings];
  for (const first of new Set(firsts)) {
    for (const [part, folded] of byFirst.get(first) ?? []) {
      // Two words of kanji that have none in common are seldom taken for one another.
      if (isWritten && isKanji(first) && !hasSame(said, part)) continue;
      const length = lengthReadAs(said, part, readings);
      const form = folded.slice(0, length);
      if (length > 1 && isTold(form) && isWord(form)) {
        found.set(form, found.get(form) === true || !isKanji(folded.charAt(length)));
      }
    }
  }
  const isAnyWhole = [...found.values()].includes(true);
  return [...found].flatMap(([form, isWhole]) => (isWhole || !isAnyWhole ? [form] : []));
}

const segmenter = new Intl.Segmenter("ja", { granularity: "word" });
/** Places that are looked at for one form. */
const maxPlaces = 20;

/** So many letters around a form tell where words begin and end: a run may be as long as a title. */
const around = 20;

/** Tells whether these runs have it as a word, the beginning or end of one, or as several: 革工 in 本革工房 is none. */
function createIsWord(runs: string): (form: string) => boolean {
  const told = new Map<string, boolean>();
  const find = (form: string): boolean => {
    let at = runs.indexOf(form);
    for (let places = 0; at >= 0 && places < maxPlaces; places += 1) {
      const start = Math.max(runs.lastIndexOf(" ", at) + 1, at - around);
      const [run = ""] = runs.slice(start, at + form.length + around).split(" ");
      const [from, to] = [at - start, at - start + form.length];
      const edges = [...[...segmenter.segment(run)].map(({ index }) => index), run.length];
      const atEdge = [from, to].filter((end) => edges.includes(end)).length;
      if (atEdge === 2 || (atEdge === 1 && !edges.some((edge) => edge > from && edge < to)))
        return true;
      at = runs.indexOf(form, at + 1);
    }
    return false;
  };
  return (form) => {
    const isWord = told.get(form) ?? find(form);
    told.set(form, isWord);
    return isWord;
  };
}

const hasSame = (a: string, b: string) => Array.from(a).some((letter) => b.includes(letter));

/** How much of the beginning of `part` is read as the whole word, the most; 0: nothing. Both as they are spoken. */
function lengthReadAs(word: string, part: string, readings: Readings, i = 0, j = 0): number {
  if (i === word.length) return j;
  if (j === part.length) return 0;
  const { byKanji, alone } = readings;
  const lengthFrom = (toI: number, toJ: number) => lengthReadAs(word, part, readings, toI, toJ);
  const [letter, other] = [word.charAt(i), part.charAt(j)];
  let longest = letter === other ? lengthFrom(i + 1, j + 1) : 0;
  for (const [key, reading] of byKanji.get(other) ?? []) {
    if (word.startsWith(reading, i) && part.startsWith(key, j))
      longest = Math.max(longest, lengthFrom(i + reading.length, j + key.length));
  }
  for (const [key, reading] of byKanji.get(letter) ?? []) {
    if (part.startsWith(reading, j) && word.startsWith(key, i))
      longest = Math.max(longest, lengthFrom(i + key.length, j + reading.length));
  }
  // A wrong kanji of the same sound: 既成 for 既製.
  const own = alone.get(letter);
  const others = alone.get(other);
  if (longest === 0 && own && others && [...own].some((reading) => others.has(reading)))
    longest = lengthFrom(i + 1, j + 1);
  return longest;
}
