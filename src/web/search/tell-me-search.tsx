import { beginning } from "../shared/format.ts";
import { RuleChoice, TargetPrice, TellMe } from "../shared/product/tell-me.tsx";
import { toChips, type ChipsProps } from "./chips.tsx";

/** Of an alert, how words match, the order and the page are no part. */
const notWatched = ["match", "sort", "page", "per_page", "group"];
/** Alerts are judged without these. */
const notJudged = ["condition", "colour", "size", "max_age_s"];

/** Alerts about what this search finds; null for a search of everything, or by what alerts cannot judge. */
export function TellMeSearch({ page, search, shopNames }: ChipsProps) {
  const { params } = search;
  const given = [...params].filter(([name]) => !notWatched.includes(name));
  if (given.length === 0 || notJudged.some((name) => params.has(name))) return null;
  const words = [
    params.get("q") ?? "",
    ...toChips({ page, search, shopNames }).map((c) => c.label),
  ];
  const name = beginning(words.filter((word) => word !== "").join(" · "), 100);
  return (
    <TellMe page={page} watched={given} name={name}>
      <RuleChoice page={page} kind="new_match" isChosen />
      <RuleChoice page={page} kind="price_below">
        <TargetPrice page={page} price={null} />
      </RuleChoice>
      <RuleChoice page={page} kind="price_drop" />
      <RuleChoice page={page} kind="back_in_stock" />
    </TellMe>
  );
}
