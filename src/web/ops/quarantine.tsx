import type { QuarantineRecord } from "../../catalog/quarantine.ts";
import type { OpsPage } from "./ops-page.ts";

const charsShown = 4000;

/** Items that could not be read, as they were sent. Always shown as plain text. */
export function Quarantine({ page, items }: { page: OpsPage; items: readonly QuarantineRecord[] }) {
  const { o } = page;
  if (items.length === 0) return <p class="quiet">{o.mirror.quarantineEmpty}</p>;
  return (
    <>
      <p class="quiet">{o.mirror.quarantineLead}</p>
      <ul class="quarantine">
        {items.map((item) => (
          <Item page={page} item={item} />
        ))}
      </ul>
    </>
  );
}

function Item({ page, item }: { page: OpsPage; item: QuarantineRecord }) {
  const { o, f, now } = page;
  const isCut = item.raw.length > charsShown;
  return (
    <li>
      <p>
        <strong>{item.itemId ?? o.mirror.anonymous}</strong>{" "}
        <bdi lang="en" class="reason">
          {item.reason}
        </bdi>{" "}
        <span class="fine">
          {f.ago(item.seenAt, now)}, {o.mirror.call} {item.callId}
        </span>
      </p>
      <details>
        <summary>{o.mirror.raw}</summary>
        <pre tabindex={0} dir="ltr" aria-label={o.mirror.raw} role="region">
          {item.raw.slice(0, charsShown).toWellFormed()}
        </pre>
        {isCut && <p class="fine">{o.mirror.cut(f.number(charsShown))}</p>}
      </details>
    </li>
  );
}
