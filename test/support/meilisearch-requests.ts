/** Requests of Meilisearch's search protocol, right and wrong ones. The index is `products`. */

const flags = [true, false, 1, "true", null];
const wholes = [-1, 1.5, "1", 0, 2, null];
const names = (...lists: unknown[]) => ["title", [1], null, [], ["title"], ...lists];

/** Values for each parameter of a search, some of them wrong. */
export const parameters: Readonly<Record<string, readonly unknown[]>> = {
  q: ["財布", "", "zzz", 1, [], {}, null],
  offset: wholes,
  limit: wholes,
  page: [...wholes, 999],
  hitsPerPage: [...wholes, 5],
  attributesToRetrieve: names(["nope"], ["images.origin"], ["id", "images.76"], ["*"], ["title.x"]),
  attributesToHighlight: names(
    ["nope"],
    ["ti*"],
    ["*"],
    ["images.origin"],
    ["title", "categories"],
  ),
  attributesToCrop: names(["nope"], ["title:0"], ["title:2"], ["title:1", "title:3"]),
  cropLength: wholes,
  cropMarker: ["", "[cut]", 1, null],
  highlightPreTag: ["", "__ais-highlight__", 1, null],
  highlightPostTag: ["", "__/ais-highlight__", 1, null],
  showMatchesPosition: flags,
  filter: ["price > 2000", ["in_stock = true", ["price < 900", "price > 9000"]], "price", 1, null],
  facets: names(["nope"], ["shop_id"], ["categories", "price"], ["in_stock", "on_sale", "stock"]),
  sort: [["price:desc"], ["in_stock:asc"], ["price"], ["price:up"], ["price:ASC"], [""], [1], null],
  distinct: ["shop_id", "in_stock", "discount_percent", "title", "nope", "", 1, ["price"], null],
  matchingStrategy: ["all", "last", "frequency", "some", 1, null],
  showRankingScore: flags,
  showRankingScoreDetails: flags,
  rankingScoreThreshold: [0, 0.1, -0.1, 1.1, "a", null],
  attributesToSearchOn: names(["*"], ["price"], ["title", "nope"], ["categories", "shop_name"]),
  locales: ["jpn", ["jpn"], ["ja"], [1], [], ["xx"], null],
  hybrid: [{ embedder: "x", semanticRatio: 0 }, {}, { embedder: 1 }, { embedder: "x", no: 1 }, 1],
  vector: [[1, 2], "a", ["a"], null],
  media: [{}, 1, null],
  retrieveVectors: flags,
  personalize: [{}],
  indexUid: ["products"],
};

const expressions = `
price > "2010"
price > abc
price > 1e3
price = 1e3
price=2000
price = -1
price NOT IN [500, 637]
price IN []
price IN [500,]
price IN[637]
price IN 637
price 1000 TO 5000
price a TO 3
price TO 3
price 1000TO 1002
shop_id a TO b
in_stock = TRUE
in_stock = "true"
in_stock != true
in_stock > 1
in_stock = maybe
NOT NOT price>3000
NOT(price>3000)
price >= 1000 AND price <= 3001 OR price > 9005
(price>3000)AND(stock=0)
price>3000 OR(stock=0)
NOT stock = 0 AND on_sale = true
gtins IS EMPTY
gtins IS NOT EMPTY
gtins NOT EXISTS
gtins IS NULL
gtins IS null
price EXISTS AND stock EXISTS
price EXISTS)
title EXISTS
nope IS NULL
stock IS EMPTY
price > 99999999999999999999999
price < 99999999999999999999999
price > NaN
price > ""
categories = 財布
categories = "財布"
categories != 財布
category IN [財布, 文房具]
"price" > 3000
'price' > 3000
\`price\` > 3000
on_sale=0
id = 1
price =1000 and stock=0
price=1000 AND
price > 1 AND (stock = 0
(price>1000))
()
shop_id=
=3
price
price 3
price == 3
price <> 3
price ! = 3
price:1000
AND = 1
shop_id = AND
shop_id = "AND"
OR
shop_id IS
shop_id IS NOT
shop_id NOT
shop_id = "a
shop_id = a"b
shop_id = a,b
shop_id = a.b-c_d
shop_id IN [a b]
id > 1
shop_id CONTAINS a
shop_id NOT CONTAINS a
_geoRadius(1,2,3)
NOT _geoBoundingBox([1,2],[3,4])
_geo = 1
_geoPoint(1,2)
`;

const linesOf = (text: string): string[] => text.trim().split("\n");

export const filters: readonly unknown[] = [
  ...linesOf(expressions),
  `${"(".repeat(24)}price>1${")".repeat(24)}`,
  "\u3000price > 3000",
  " ",
  "",
  ["price > 1000", ["stock=0", "stock=1"]],
  [["price>1000"], ["stock=0"]],
  ["price>1 OR stock=1"],
  ["", "price>1000"],
  [["", "price>1000"]],
  [["price>1000", ""]],
  [""],
  [[]],
  [],
  {},
  null,
  [1],
  [["price=1", 1]],
  [[["x"]]],
  [null],
  [{}],
  true,
  12.5,
  1,
];

const facetName = "categories";

export const facetSearches: readonly unknown[] = [
  {},
  { facetName: 1 },
  { facetName: null },
  { facetName: "price" },
  { facetName: "nope" },
  { facetName },
  { facetName: "shop_id" },
  { facetName: "category", facetQuery: "財" },
  ...[{ facetQuery: "zzz" }, { facetQuery: 1 }, { facetQuery: null }].map((sent) => ({
    facetName,
    ...sent,
  })),
  ...[true, 1, null].map((exhaustiveFacetCount) => ({ facetName, exhaustiveFacetCount })),
  ...["filter", "q", "matchingStrategy", "attributesToSearchOn", "rankingScoreThreshold"].flatMap(
    (field) => (parameters[field] ?? []).map((value) => ({ facetName, [field]: value })),
  ),
  ...["hybrid", "vector"].flatMap((field) =>
    (parameters[field] ?? []).map((value) => ({ facetName, [field]: value })),
  ),
  { facetName, attributesToHighlight: ["*"], sort: ["x:asc"], page: 1, offset: "a", facets: 1 },
];

const by = "sort=price:asc";

const ordered = `
q=%E8%B2%A1%E5%B8%83
q=
q
q=a&q=%E8%B2%A1%E5%B8%83
=x
no=1
media=1
limit=2
limit=a
limit=-1
limit=
limit
limit=%2B1
limit=01
limit=0&limit=1
offset=1.5
page=2&limit=2
page=
hitsPerPage=a
hitsPerPage=3
cropLength=a
attributesToRetrieve=id,title
attributesToRetrieve=
attributesToRetrieve=id,%20title
attributesToHighlight=&q=zzz
attributesToHighlight=title&q=%E8%B2%A1%E5%B8%83
cropMarker=
attributesToCrop=title:2,identifier:3&q=%E8%B2%A1%E5%B8%83
facets=shop_id
facets=
facets=no
filter=price%20%3E%201010
filter=%5B%22price%20%3E%201010%22%5D
filter=
filter=1
filter=%7B%7D
filter=[
filter=%22price%20%3E%201010%22
showRankingScoreDetails=TRUE
showMatchesPosition=true
showMatchesPosition=1
showRankingScore=yes
retrieveVectors=a
matchingStrategy=all
rankingScoreThreshold=2
rankingScoreThreshold=a
locales=jpn
rankingScoreThreshold=
locales=
distinct=shop_id
distinct=
retrieveVectors=true
vector=1,2
vector=a
hybridEmbedder=a
hybridSemanticRatio=0.5
hybridSemanticRatio=x
hybridSemanticRatio=2&hybridEmbedder=a
attributesToSearchOn=title
attributesToSearchOn=no
attributesToSearchOn=
hybrid=1
`;

export const addresses: readonly string[] = [
  ...linesOf(ordered).map((query) => `${query}&${by}`),
  "sort=",
  "sort=x",
  "sort=price:desc",
  "sort=stock:desc,price:asc",
];

/** Bodies that are no search. */
export const bodies: readonly string[] = linesOf(String.raw`
{
[]
"x"
1
null
{"q":"\ud800"}
{"limit":1}x
{"q":"a","q":1}
{"zoo":1,"limit":"x"}
{"limit":"x","zoo":1}
{"page":"x","q":1}
{"q":1,"page":"x"}
`).concat("", " ");
