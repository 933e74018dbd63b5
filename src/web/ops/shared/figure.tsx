import type { Child } from "hono/jsx";

interface FigureProps {
  name: string;
  children: Child;
  class?: string;
  /** What it means. */
  title?: string;
}

/** One figure of a list of them. */
export function Figure({ name, children, ...look }: FigureProps) {
  return (
    <div {...look}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
