import type { Page } from "../shared/page/page.ts";
import { RuleChoice, TargetPrice, TellMe } from "../shared/product/tell-me.tsx";
import { textsOf, watchedIn, type Form } from "./read-form.ts";

const kindsOf = {
  product: ["price_below", "price_drop", "new_low", "back_in_stock", "gone"],
  search: ["new_match", "price_below", "price_drop", "back_in_stock"],
} as const;

/** The form of `TellMe` as somebody has filled it in, to be corrected; nothing for other forms. */
export function TypedAlert({ page, form }: { page: Page; form: Form }) {
  const watched = watchedIn(form).flatMap(({ parameter, given }) =>
    given.map((value) => [parameter, value] as const),
  );
  if (watched.length === 0) return null;
  const isProduct = watched.some(([parameter]) => parameter === "item_id");
  const chosen = textsOf(form, "rule");
  const [name = ""] = textsOf(form, "name");
  const [price = ""] = textsOf(form, "price");
  return (
    <TellMe page={page} watched={watched} name={name} isOpen>
      {kindsOf[isProduct ? "product" : "search"].map((kind) => (
        <RuleChoice page={page} kind={kind} isChosen={chosen.includes(kind)}>
          {kind === "price_below" && <TargetPrice page={page} price={price} />}
        </RuleChoice>
      ))}
    </TellMe>
  );
}
