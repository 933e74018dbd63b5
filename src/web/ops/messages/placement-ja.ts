export const placementJa = {
  title: "検索ホスト",
  lead: (copies: string, buckets: string) =>
    `商品を ${buckets} 個の区画に分け、それぞれを ${copies} 台に置いています。`,
  unsearchable: (buckets: string) =>
    `${buckets} 個の区画を検索できるホストがありません。その間はデータベースが検索に答えます。`,
  host: "ホスト",
  health: "状態",
  up: "応答あり",
  down: "応答なし",
  unwanted: "（移動中）",
  serving: "検索中の区画",
  filling: "複製中",
  leaving: "削除待ち",
};
