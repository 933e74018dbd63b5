/*
 * The engine splits a voiced kana into two letters, the plain kana and its mark (U+3099, U+309A): コード is コート and a
 * mark. Only words that another frequent word is near to in these letters are listed, since all others are better found
 * with typing errors, and by their beginnings.
 */

/** Their marks make them long enough for one typing error, which makes another word of them: ハンド of バンド, デスク of ディスク. */
export const confusedByTypos =
  `ヴィトン ガイド ガーゼ ガード グラブ グリップ グレープ クリップ クレープ クローブ グローブ コールド サンダル ジャズ ジュース
ダブル ティッシュ ディスク ディッシュ ドッグ ドリンク バッジ バーガー バード バンド ハンガー ハンドル バンドル パーカー パズル パンダ ビーズ
フランク フレンド ブラウス ブラウン ブラジル ブラック ブランク ブランド ブレード ブレンド ブロック プラグ プラント プランク プリント プレート
ベッド ベビー ポスター ポッド ポンプ ボード`.split(/\s+/);

/** With a mark on the last kana they are another word, or its beginning: カード, ローズ, レーズン, ハーブ, ブラジャー, パズル. */
const beginningOfOthers =
  /(?<![ァ-ヺー])(?:カート|カーフ|コート|シート|ドック|パス|ハート|ハーフ|ブラシ|ボート|ボルト|ポット|リンク|レース|ロース)$/;

/** The engine takes the last word of a query for the beginning of longer ones, unless a space follows. */
export function withConfusedWordEnded(q: string): string {
  return q.replace(beginningOfOthers, "$& ");
}
