import { messages } from "../shared/messages/messages.ts";
import type { Page } from "../shared/page/page.ts";

/** What became of a request to check the product. */
export type CheckOutcome = keyof Page["m"]["product"]["outcomes"];

const outcomes = Object.keys(messages.ja.product.outcomes) as CheckOutcome[];

export function toCheckOutcome(text: string | undefined): CheckOutcome | null {
  return outcomes.find((outcome) => outcome === text) ?? null;
}

/** A form, so that it works without a script. It spends a call of the on-demand quota. */
export function CheckNow({ page, itemId }: { page: Page; itemId: number }) {
  const { m } = page;
  return (
    <form
      class="check"
      method="post"
      action={`/products/${itemId}/check`}
      data-busy={m.product.checking}
    >
      <button type="submit" class="plain" aria-describedby="check-note">
        {m.product.checkNow}
      </button>
      <p class="fine" id="check-note">
        {m.product.checkNote}
      </p>
    </form>
  );
}

export function CheckNotice({ page, outcome }: { page: Page; outcome: CheckOutcome }) {
  const isGood = outcome === "fresh" || outcome === "queued";
  return (
    <p class={isGood ? "notice" : "notice warn"} role="status" id="check" tabindex={-1}>
      {page.m.product.outcomes[outcome]}
    </p>
  );
}
