import type { Child } from "hono/jsx";
import type { Page } from "../page/page.ts";

/** Hidden parameters of what is watched. */
type Watched = readonly (readonly [name: string, value: string])[];

interface TellMeProps {
  page: Page;
  watched: Watched;
  /** For people, in the list of alerts. */
  name: string;
  children: Child;
}

/** A form that saves what is watched with the chosen rules. It needs no account and no script. */
export function TellMe({ page, watched, name, children }: TellMeProps) {
  const { m } = page;
  // Titles may have lines, and names of alerts may not.
  const oneLine = name.replaceAll(/[\p{Cc}\s]+/gu, " ").trim() || m.product.untitled;
  return (
    <details class="card part tell-me" id="tell-me">
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

/** A rule to tick; its own field stands beside it. */
export function RuleChoice(props: {
  kind: string;
  label: string;
  isChosen?: boolean;
  children?: Child;
}) {
  return (
    <p class="rule">
      <label class="choice">
        <input
          type="checkbox"
          name="rule"
          value={props.kind}
          id={`rule-${props.kind}`}
          checked={props.isChosen === true}
        />
        <span>{props.label}</span>
      </label>
      {props.children}
    </p>
  );
}

/** The target price of the rule `price_below`. */
export function TargetPrice({ page, price }: { page: Page; price: number | null }) {
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
