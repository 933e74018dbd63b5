import type { Child } from "hono/jsx";

interface FigureProps {
  name: string;
  /** Stands out. */
  value?: string;
  children?: Child;
  class?: string;
  /** What it means. */
  title?: string;
}
export function Figure({ name, value, children, ...look }: FigureProps) {
  return (
    <div {...look}>
      <dt>{name}</dt>
      <dd>
        {value !== undefined && <strong>{value}</strong>} {children}
      </dd>
    </div>
  );
}

/** How many of the most, as a bar; the text tells it to screen readers. */
export function Share({ count, of, text }: { count: number; of: number; text: string }) {
  return <meter min="0" max={of} value={count} aria-label={text} />;
}

export function ProductLink({ itemId, title }: { itemId: number; title: string }) {
  return (
    <a href={`/products/${itemId}`}>
      <bdi>{title}</bdi>
    </a>
  );
}

/** A text of ours or of the upstream that is English in every language of the page. */
export function Reason({ text }: { text: string }) {
  return (
    <bdi lang="en" class="reason">
      {text}
    </bdi>
  );
}

export function Moment({ at, text }: { at: Date; text: string }) {
  return <time datetime={at.toISOString()}>{text}</time>;
}
