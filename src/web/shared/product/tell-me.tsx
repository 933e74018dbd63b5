import type { Child } from "hono/jsx";
import type { Page } from "../page/page.ts";

/** Hidden parameters of what is watched. */
type Watched = readonly (readonly [name: string, value: string])[];

interface TellMeProps {
  page: Page;
  watched: Watched;
  /** For people, in the list of alerts. */
  name: string;
  isOpen?: boolean;
  children: Child;
}

/** A form that saves what is watched with the chosen rules. It needs no account and no script. */
export function TellMe({ page, watched, name, isOpen = false, children }: TellMeProps) {
  const { m } = page;
  // Titles may have lines, and names of alerts may not.
  const oneLine = name.replaceAll(/[\p{Cc}\s]+/gu, " ").trim() || m.product.untitled;
  return (
    <details class="card part tell-me" id="tell-me" open={isOpen}>
      <summary>{m.alerts.tellMe}</summary>
      <form method="post" action="/alerts">
        <input type="hidden" name="name" value={oneLine} />
        {watched.map(([parameter, value]) => (
          <input type="hidden" name={`query.${parameter}`} value={value} />
        ))}
        {children}
        <button type="submit">{m.alerts.save}</button>
        <p class="fine">{m.alerts.note}</p>
      </form>
    </details>
  );
}

interface RuleChoiceProps {
  page: Page;
  kind: keyof Page["m"]["alerts"]["kinds"];
  isChosen?: boolean;
  children?: Child;
}

/** A rule to tick; its own field stands beside it. */
export function RuleChoice({ page, kind, isChosen = false, children }: RuleChoiceProps) {
  return (
    <p class="rule">
      <label class="choice">
        <input type="checkbox" name="rule" value={kind} id={`rule-${kind}`} checked={isChosen} />
        <span>{page.m.alerts.kinds[kind]}</span>
      </label>
      {children}
    </p>
  );
}

/** The target price of the rule `price_below`. */
export function TargetPrice({ page, price }: { page: Page; price: number | string | null }) {
  return (
    <input
      name="price"
      id="rule-price"
      aria-label={page.m.alerts.targetPrice}
      inputmode="numeric"
      maxlength={13}
      size={9}
      value={price === null ? "" : String(price)}
    />
  );
}
