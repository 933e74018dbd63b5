import { WideTable } from "../../shared/table.tsx";
import type { PlacementStatus } from "../../../search/cluster/placement-status.ts";
import { Card } from "../shared/frame.tsx";
import type { OpsPage } from "../shared/ops-page.ts";

/** Which of several search hosts has which share of the products; nothing with one host. */
export function PlacementCard({ page, placement }: { page: OpsPage; placement: PlacementStatus }) {
  const { o, f } = page;
  const words = o.placement;
  const { hosts, unsearchableBuckets } = placement;
  if (hosts.length === 0) return null;
  return (
    <Card id="placement" title={words.title} live>
      <p class="quiet">{words.lead(f.number(placement.copies), f.number(placement.buckets))}</p>
      {unsearchableBuckets > 0 && (
        <p class="notice warn">{words.unsearchable(f.number(unsearchableBuckets))}</p>
      )}
      <WideTable
        label={words.title}
        rows={hosts}
        columns={({ head, column, numbers, times }) => [
          head(words.host, (host) => <code>{host.url}</code>),
          column(words.health, (host) => (
            <span class={host.isUp ? "tag good" : "tag sale"}>
              {host.isUp ? words.up : words.down}
              {host.isWanted ? "" : words.unwanted}
            </span>
          )),
          numbers(words.serving, (host) => f.number(host.serving)),
          numbers(words.filling, (host) => f.number(host.filling)),
          numbers(words.leaving, (host) => f.number(host.leaving)),
          numbers(o.mirror.dirty, (host) => f.number(host.dirty)),
          numbers(o.mirror.lag, (host) => f.duration(host.lagSeconds)),
          times(o.mirror.proof, (host) =>
            host.verifiedAt ? f.ago(host.verifiedAt) : o.mirror.proofNever,
          ),
        ]}
      />
    </Card>
  );
}
