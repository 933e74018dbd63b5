import type { Child } from "hono/jsx";
import { ago, date } from "./format.ts";
import type { Page } from "./page/page.ts";

/** How long ago something was, or `children` that tell of it, with the moment for who points at it. */
export function Ago(props: { page: Page; at: Date; class?: string; children?: Child }) {
  const { page, at, children, ...look } = props;
  const seconds = Math.max(0, (page.now.getTime() - at.getTime()) / 1000);
  return (
    <time {...look} datetime={at.toISOString()} title={date(at, "moment", page.lang)}>
      {children ?? ago(seconds, page.lang)}
    </time>
  );
}
