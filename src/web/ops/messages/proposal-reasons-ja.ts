/** The reasons of `toCandidates`, in English and Japanese. */
export const proposalReasonsJa: Readonly<Record<string, string>> = {
  "searched by {n} visitors without results": "{n}人が検索しましたが、結果がありませんでした",
  "category of {n} of {all} products drawn": "抽出した{all}商品のうち{n}商品のカテゴリーです",
  "in the titles of {n} of {all} products drawn":
    "抽出した{all}商品のうち{n}商品の名前に含まれています",
  "its shop has {n} of {all} products drawn":
    "抽出した{all}商品のうち{n}商品がこのショップのものです",
  '"{q}" is cut off at {end} of {found}': "「{q}」は{found}件のうち{end}件までしか見られません",
};
