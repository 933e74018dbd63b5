interface ShareBarProps {
  label: string;
  /** In this order. Empty parts are listed but not drawn. */
  parts: readonly { name: string; count: number }[];
  percent(share: number): string;
}

/** The parts of a whole in one bar, with a legend below. */
export function ShareBar({ label, parts, percent }: ShareBarProps) {
  const total = parts.reduce((sum, { count }) => sum + count, 0) || 1;
  let at = 0;
  const drawn = parts.map(({ name, count }, i) => {
    const share = count / total;
    const part = { name, share, look: `band-${i + 1}`, x: at };
    at += share * 100;
    return part;
  });
  return (
    <figure class="shares">
      <figcaption>{label}</figcaption>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        {drawn.map(({ share, look, x }) => (
          <rect class={look} x={round(x)} y="0" width={round(share * 100)} height="6" />
        ))}
      </svg>
      <ul class="legend">
        {drawn.map(({ name, share, look }) => (
          <li class={share === 0 ? "quiet" : ""}>
            <span class={`key ${look}`} aria-hidden="true" />
            {name} <b>{percent(share)}</b>
          </li>
        ))}
      </ul>
    </figure>
  );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
