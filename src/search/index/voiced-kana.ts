/*
 * The engine splits a voiced kana into two letters, the plain kana and its mark (U+3099, U+309A): コード is コート and a
 * mark. Only words that another frequent word is near to in these letters are listed, since all others are better found
 * with typing errors, and by their beginnings.
 */

/** Their marks make them long enough for one typing error, which makes another word of them: フレンド of ブレンド, クリップ of グリップ. */
export const confusedByTypos =
  "グリップ グレープ グローブ ディッシュ バーガー バンドル ブラジル ブランド ブレード ブレンド".split(
    " ",
  );

/** With a mark on the last kana they are another word, or its beginning: カード, ローズ, レーズン, ハーブ, ブラジャー, パズル. */
const beginningOfOthers =
  /(?<![ァ-ヺー])(?:カート|カーフ|コート|シート|ドック|パス|ハート|ハーフ|ブラシ|ボート|ボルト|ポット|リンク|レース|ロース)$/;

/** The engine takes the last word of a query for the beginning of longer ones, unless a space follows. */
export function withConfusedWordEnded(q: string): string {
  return q.replace(beginningOfOthers, "$& ");
}
