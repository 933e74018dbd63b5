import { squeeze } from "./fold.ts";
import { byWord } from "./words.ts";

/** Parts and accessories by their words, folded. */
const partWords: Record<string, string> = {
  case: "case cover sleeve hulle tasche etui ケース カバー",
  bag: "bag バッグ ポーチ",
  film: "film folie protector フィルム",
  battery: "battery batteries batterie batteria bateria akku バッテリー 電池",
  charger: "charger ladegerat 充電器",
  cable: "cable kabel ケーブル コード",
  adapter: "adapter アダプター アダプタ",
  strap: "strap band ストラップ バンド ベルト",
  stand: "mount holder stand halterung スタンド ホルダー",
  remote: "remote fernbedienung リモコン",
  ink: "ink tinte toner インク トナー カートリッジ",
  pad: "pads パッド",
  filter: "filter フィルター フィルタ",
};
const partOf = byWord(partWords);
const spelled = [...partOf.keys()].toSorted((a, b) => b.length - a.length);
const anyPart = new RegExp(
  [
    String.raw`(?<![a-z])(?:${spelled.filter((word) => /^[a-z]/.test(word)).join("|")})(?![a-z])`,
    ...spelled.filter((word) => !/^[a-z]/.test(word)),
  ].join("|"),
  "g",
);
const forBefore =
  /(?<![a-z])(?:for|fits|fur|pour|para|per|voor|compatible with)((?: [a-z0-9][a-z0-9\-./_+]{0,30}){1,5})/g;
const forBehind =
  /(?<![a-z0-9])([a-z0-9][a-z0-9\-./_ +]{2,60}?) ?(?:用(?!品)|対応|専用|互換|適合|compatible(?! with))/g;
const leftovers =
  /[左右片]耳|ケースのみ|説明書(?!付|あり|有)|取説(?!付|あり|有)|空き?箱|箱のみ|部品取り|ジャンク(?![ァ-ヴー])|(?<![a-z])(?:nur|only) (?:die |the )?(?:bau|bedienungs)?(?:anleitung|karton|ovp|verpackung|manual|instructions|box)(?![a-z])|(?<![a-z])(?:manual|instructions|box) only(?![a-z])|(?<![a-z])for parts(?![a-z])/;

export interface PartOf {
  /** Names of parts that the title has. */
  parts: ReadonlySet<string>;
  /** What the product is for, and the last word of it: `SONY WH-1000XM5 用 ケース`. */
  isFor: readonly { text: string; last: string }[];
  /** The words of that. */
  forWords: ReadonlySet<string>;
  /** Only the box, the manual or the pieces of it are sold. */
  leftover: string | null;
}

const toWords = (text: string): string[] => [...text.split(/[^a-z0-9]+/), squeeze(text)];

/** Reads a folded title. */
export function readPartOf(folded: string): PartOf {
  const behind = [...folded.matchAll(forBefore)].flatMap(([, text = ""]) => {
    const words = text.trim().split(" ");
    return words.map((_, i) => words.slice(0, i + 1));
  });
  const before = [...folded.matchAll(forBehind)].map(([, text = ""]) => text.trim().split(" "));
  const parts = [...folded.matchAll(anyPart)].flatMap(([word]) => partOf.get(word) ?? []);
  return {
    parts: new Set(parts),
    forWords: new Set([...behind, ...before].flatMap((words) => words.flatMap(toWords))),
    isFor: [...behind, ...before].map((words) => ({
      text: squeeze(words.join("")),
      last: squeeze(words.at(-1) ?? ""),
    })),
    leftover: leftovers.exec(folded)?.[0] ?? null,
  };
}

/** Whether a model that both titles name says that the products are the same, and not that one is for the other. */
export function isOwnModel(model: string, left: PartOf, right: PartOf): boolean {
  if (left.leftover !== right.leftover) return false;
  const [isForLeft, isForRight] = [left, right].map(({ isFor }) =>
    isFor.some(({ text, last }) => text.endsWith(model) || last.includes(model)),
  );
  if (!isForLeft && !isForRight) return true;
  if ([...left.parts].some((part) => right.parts.has(part))) return true;
  return isForLeft === isForRight && (left.parts.size === 0 || right.parts.size === 0);
}
