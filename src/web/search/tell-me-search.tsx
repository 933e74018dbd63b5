import { beginning } from "../shared/format.ts";
import { RuleChoice, TargetPrice, TellMe } from "../shared/product/tell-me.tsx";
import { toChips, type ChipsProps } from "./chips.tsx";

/** Of an alert, how words match, the order and the page are no part. */
const notWatched = ["match", "sort", "page", "per_page", "group"];
/** Alerts are judged without these. */
const notJudged = ["condition", "colour", "size", "max_age_s"];

/** Alerts about what this search finds; null for a search of everything, or by what alerts cannot judge. */
export function TellMeSearch({ page, search, shopNames }: ChipsProps) {
  const { m } = page;
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
      <RuleChoice kind="new_match" label={m.alerts.kinds.new_match} isChosen />
      <RuleChoice kind="price_below" label={m.alerts.kinds.price_below}>
        <TargetPrice page={page} price={null} />
      </RuleChoice>
      <RuleChoice kind="price_drop" label={m.alerts.kinds.price_drop} />
      <RuleChoice kind="back_in_stock" label={m.alerts.kinds.back_in_stock} />
    </TellMe>
  );
}
