import type { Child } from "hono/jsx";
import type { Page } from "../page/page.ts";

/** The rules to choose from, in the order of the form. */
const kindsOf = {
  product: ["price_below", "price_drop", "new_low", "back_in_stock", "gone"],
  search: ["new_match", "price_below", "price_drop", "back_in_stock"],
} as const;

interface TellMeProps {
  page: Page;
  /** Hidden parameters of what is watched: one product, or a search. */
  watched: readonly (readonly [name: string, value: string])[];
  /** For people, in the list of alerts. */
  name: string;
  /** The kinds of the ticked rules. */
  chosen: readonly string[];
  /** The target price of the rule `price_below`. */
  price?: number | string | null;
  /** Beside the target price. */
  priceHelp?: Child;
  isOpen?: boolean;
}

/** A form that saves what is watched with the chosen rules. It needs no account and no script. */
export function TellMe(props: TellMeProps) {
  const { page, watched, name, chosen, price, priceHelp, isOpen = false } = props;
  const { m } = page;
  // Titles may have lines, and names of alerts may not.
  const oneLine = name.replaceAll(/[\p{Cc}\s]+/gu, " ").trim() || m.product.untitled;
  const isProduct = watched.some(([parameter]) => parameter === "item_id");
  return (
    <details class="card part tell-me" id="tell-me" open={isOpen}>
      <summary>{m.alerts.tellMe}</summary>
      <form method="post" action="/alerts">
        <input type="hidden" name="name" value={oneLine} />
        {watched.map(([parameter, value]) => (
          <input type="hidden" name={`query.${parameter}`} value={value} />
        ))}
        {kindsOf[isProduct ? "product" : "search"].map((kind) => (
          <p class="rule">
            <label class="choice">
              <input
                type="checkbox"
                name="rule"
                value={kind}
                id={`rule-${kind}`}
                checked={chosen.includes(kind)}
              />
              <span>{m.alerts.kinds[kind]}</span>
            </label>
            {kind === "price_below" && (
              <>
                <input
                  name="price"
                  id="rule-price"
                  aria-label={m.alerts.targetPrice}
                  inputmode="numeric"
                  maxlength={13}
                  size={9}
                  value={String(price ?? "")}
                />
                {priceHelp}
              </>
            )}
          </p>
        ))}
        <button type="submit">{m.alerts.save}</button>
        <p class="fine">{m.alerts.note}</p>
      </form>
    </details>
  );
}
