import { alerts } from "./alerts.ts";
import { inLanguage, plural, type InLanguage, type Texts } from "./in-language.ts";
import { product } from "./product.ts";

/** Every text of the public pages. */
const texts = {
  name: ["Kurabe 比べ", "Kurabe 比べ"],
  skip: ["本文へ移動", "Skip to content"],
  language: ["言語", "Language"],
  footer: [
    "価格と在庫は各ショップで最後に確認できた時点のものです。価格は税込みです。",
    "Prices and stock are as last confirmed at each shop. Prices include tax.",
  ],
  api: ["開発者向けAPI", "API for developers"],
  siteLinks: ["サイト内のページ", "On this site"],
  search: {
    label: ["商品を検索", "Search products"],
    placeholder: ["商品名・ショップ・JANコード", "Product, shop or JAN code"],
    submit: ["検索", "Search"],
    suggestions: ["検索候補", "Suggestions"],
    tagline: ["ショップをまたいで商品を比べる", "compare products across shops"],
    description: [
      "たくさんの小さなショップの商品を、価格・在庫・確認時刻つきで横断検索します。",
      "Products of many small shops in one search, with price, stock and when they were checked.",
    ],
    allProducts: ["ショップをまたいで商品を比べる", "Compare products across shops"],
    resultsFor: (q: string) => [`「${q}」の検索結果`, `Results for “${q}”`],
    found: (n: string, isExact: boolean) => [
      `${n}件${isExact ? "" : "以上"}`,
      `${isExact ? "" : "At least "}${plural(n, "product")}`,
    ],
    filters: ["絞り込み", "Filters"],
    show: ["表示する商品", "Show only"],
    inStockOnly: ["在庫あり", "In stock"],
    onSaleOnly: ["値下げ表示あり", "Reduced, says the shop"],
    regularOnly: ["値下げ表示なし", "Not reduced, says the shop"],
    allWords: ["すべての語を含む", "Every word"],
    group: ["同じ商品をまとめる", "Group the same product"],
    price: ["価格", "Price"],
    priceMin: ["下限", "Lowest"],
    priceMax: ["上限", "Highest"],
    categories: ["カテゴリー", "Category"],
    shops: ["ショップ", "Shop"],
    more: ["もっと見る", "Show more"],
    skip: ["検索結果へ移動", "Skip to results"],
    begins: ["先頭の文字…", "Begins with…"],
    valuesBegin: (filter: string) => [`${filter}：先頭の文字`, `${filter}: begins with`],
    valuesFound: (n: string) => [`候補${n}件`, plural(n, "value")],
    noValue: ["この文字で始まるものはありません。", "No value begins with this."],
    moreValues: [
      "ほかにもあります。続きの文字を入力してください。",
      "There are more: type more letters.",
    ],
    apply: ["適用", "Apply"],
    narrowedBy: ["絞り込み条件", "Active filters"],
    remove: (label: string) => [`「${label}」を外す`, `Remove “${label}”`],
    removeAll: ["すべて外す", "Remove all"],
    from: (price: string) => [`${price}以上`, `from ${price}`],
    upTo: (price: string) => [`${price}以下`, `up to ${price}`],
    without: (shop: string) => [`${shop}を除く`, `not ${shop}`],
    checkedWithin: (seconds: number) => [
      `${Math.ceil(seconds / 60)}分以内に確認`,
      `checked within ${plural(Math.ceil(seconds / 60), "minute")}`,
    ],
    sort: ["並び順", "Sort by"],
    sorts: {
      relevance: ["おすすめ順", "Best match"],
      "price:asc": ["価格の安い順", "Price, low to high"],
      "price:desc": ["価格の高い順", "Price, high to low"],
      "unit_price:asc": ["単価の安い順", "Unit price, low to high"],
      "first_seen:desc": ["新着順", "Newest"],
      "modified:desc": ["更新の新しい順", "Recently changed"],
      "discount:desc": ["割引表示の大きい順", "Biggest stated discount"],
      "popularity:desc": ["人気順", "Most popular"],
    },
    degraded: [
      "検索エンジンが応答しないため、簡易検索の結果を表示しています。並び順や件数が通常と異なることがあります。",
      "The search engine is not answering, so a simpler search is used. Order and counts may differ.",
    ],
    unread: (names: string) => [
      `読み取れなかった条件を除いて検索しました: ${names}`,
      `These filters could not be read and were left out: ${names}`,
    ],
    priceRule: [
      "価格は整数で、下限は上限以下にしてください。",
      "Prices are whole numbers, the lowest not above the highest.",
    ],
    partial: ["一部の言葉に一致する商品", "Products with most of these words"],
    similar: ["同じカテゴリーの人気商品", "Popular in the same category"],
    missing: ["含まれない言葉:", "Missing:"],
    corrected: (q: string) => [
      `「${q}」の検索結果を表示しています。`,
      `Showing results for “${q}”.`,
    ],
    asTyped: (q: string) => [`入力どおり「${q}」で検索`, `Search for “${q}” as typed`],
    nothing: ["条件に合う商品が見つかりませんでした", "No product matches"],
    noSuchPage: [
      "このページに商品はありません。下のページ番号から選んでください。",
      "There are no products on this page. Choose one of the pages below.",
    ],
    tryWithout: ["条件を減らしてみてください。", "Try fewer filters:"],
    tryOneWord: ["言葉を一つにしてみてください。", "Try a single word:"],
    didYouMean: ["こちらの検索はいかがですか。", "Or one of these searches:"],
    everything: ["すべての商品を見る", "See all products"],
    pages: ["ページ", "Pages"],
    pageNumber: (n: number) => [`${n}ページ`, `Page ${n}`],
    previous: ["前へ", "Previous"],
    next: ["次へ", "Next"],
  },
  home: {
    size: (products: string, shops: string) => [
      `${shops}ショップの${products}商品を比べられます。`,
      `${products} products of ${shops} shops.`,
    ],
    fresh: (age: string) => [
      `半数は${age}以降に確認しました。`,
      `Half of them were checked ${age} or later.`,
    ],
    empty: [
      "商品はまだありません。ショップの商品を集め始めると、ここに表示されます。",
      "There are no products yet. They appear here as they are found.",
    ],
    freshNow: [
      "半数は1分以内に確認しました。",
      "Half of them were checked within the last minute.",
    ],
    more: ["もっと見る", "See more"],
  },
  viewed: {
    title: ["最近見た商品", "Recently viewed"],
    clear: ["消去", "Clear"],
    note: ["このブラウザだけが覚えています。", "Only this browser remembers them."],
    none: [
      "このブラウザで見た商品はないか、販売が終わっています。",
      "No products have been viewed in this browser, or they are gone.",
    ],
  },
  browse: {
    categories: ["カテゴリー", "Categories"],
    categoriesText: [
      "商品の多い順に、すべてのカテゴリーと商品の数。",
      "All categories with their number of products, biggest first.",
    ],
    shops: ["ショップ", "Shops"],
    shopsText: [
      "商品の多い順に、すべてのショップと商品の数。",
      "All shops with their number of products, biggest first.",
    ],
    priceDrops: ["値下がりした商品", "Price drops"],
    priceDropsText: [
      "この7日間に値下がりし、今もその価格の商品。確認できた前の価格と比べています。",
      "Products that became cheaper in the last 7 days and still are, compared with the last confirmed price before.",
    ],
    noDrops: [
      "この7日間に値下がりした商品はまだありません。",
      "Nothing became cheaper in the last 7 days.",
    ],
    newest: ["新着商品", "New products"],
    before: ["前の価格", "Price before"],
    way: ["現在の位置", "You are here"],
  },
  compare: {
    tick: ["比較する", "Compare"],
    open: ["選んだ商品を比べる", "Compare ticked products"],
    clear: ["選択を外す", "Untick all"],
    full: (most: number) => [
      `一度に比べられるのは${most}件までです。`,
      `At most ${most} products can be compared at once.`,
    ],
    title: ["商品を比べる", "Compare products"],
    description: [
      "選んだ商品の価格、最安値、在庫、単価、ショップを並べて比べます。",
      "Price, lows, stock, unit price and shop of the chosen products side by side.",
    ],
    nothing: [
      "比べる商品が選ばれていません。商品の「比較する」に印を付けてください。",
      "No product is chosen. Tick “Compare” on products.",
    ],
    faulty: (most: number) => [
      `見つからない商品、または読み取れない指定を除きました。比べられるのは${most}件までです。`,
      `What is no known product was left out. At most ${most} products can be compared.`,
    ],
    remove: ["外す", "Remove"],
    unitPrice: ["単価", "Unit price"],
    offers: ["全ショップの出品", "Offers of all shops"],
    checked: ["確認", "Checked"],
    history: ["価格の推移", "Price history"],
    chartTitle: ["選んだ商品の価格の推移", "Prices of the chosen products over time"],
  },
  alerts,
  product,
  problem: {
    toSearch: ["商品を探す", "Search products"],
    reference: ["お問い合わせ番号", "Reference"],
    notFound: {
      title: ["ページが見つかりません", "Page not found"],
      text: [
        "アドレスが間違っているか、リンクの期限が切れているか、この商品はまだ一度も確認されていません。",
        "The address is wrong, the link has expired, or this product has never been seen.",
      ],
    },
    noAlerts: {
      title: ["このお知らせはありません", "There are no such alerts"],
      text: [
        "アドレスが途中で切れているか、リンクの期限が切れているか、お知らせが削除されています。",
        "The address is incomplete, the link has expired, or the alerts were deleted.",
      ],
    },
    linkOver: {
      title: ["このリンクはもう使えません", "This link does not work any more"],
      text: [
        "リンクは3日間有効で、メールアドレスを変えたり消したりすると使えなくなります。お知らせのページでアドレスを保存すると、新しいメールが届きます。",
        "It works for three days, and not once the e-mail address was changed or removed. Save the address on your page of alerts: a new mail will come.",
      ],
    },
    noExport: {
      title: ["このファイルはありません", "There is no such file"],
      text: [
        "新しいファイルができると、古いファイルは削除されます。今あるファイルの一覧は /exports/manifest.json です。一覧も開けない場合、このサイトはファイルを公開していません。",
        "Old files are removed when new ones are made: /exports/manifest.json has those that are there. If that cannot be opened either, this site publishes none.",
      ],
    },
    gone: {
      title: ["この商品は販売を終了しました", "This product is no longer sold"],
      text: [
        "ショップがこの商品を削除しました。ほかの商品は検索から探せます。",
        "The shop has deleted it. You can search for others.",
      ],
    },
    unavailable: {
      title: ["ただいま表示できません", "Not available right now"],
      text: [
        "一時的に混み合っているか、調整中です。しばらくしてからもう一度お試しください。",
        "The service is busy or under maintenance. Please try again in a moment.",
      ],
    },
    failed: {
      title: ["エラーが発生しました", "Something went wrong"],
      text: [
        "こちらの不具合です。もう一度お試しいただき、続く場合は下の番号をお知らせください。",
        "This is our fault. Please try again; if it keeps happening, tell us the reference below.",
      ],
    },
    foreign: {
      title: ["受け付けられません", "Not allowed"],
      text: [
        "ほかのサイトのページから送られたため、何も変更していません。このサイトのページからもう一度お試しください。",
        "It came from a page of another site. Nothing was changed. Please try again from a page of this site.",
      ],
    },
    refused: {
      title: ["このアドレスは読み取れません", "This address cannot be read"],
      text: [
        "アドレスの一部が正しくありません。検索からやり直してください。",
        "Part of the address is not valid. Please start again from the search.",
      ],
    },
  },
} satisfies Texts;

export type Messages = InLanguage<typeof texts>;

export const messages = { ja: inLanguage(texts, "ja"), en: inLanguage(texts, "en") };
