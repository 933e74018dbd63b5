import { WideTable } from "../../shared/table.tsx";
import { readQuarantine } from "../../../catalog/observing/quarantine.ts";
import { warmUpQuery } from "../../../search/query/warm-up.ts";
import type { PlacementStatus } from "../../../search/cluster/placement-status.ts";
import type { IndexStatus, MirrorStatus } from "../../../search/mirror/status.ts";
import { Action, Card, NoticeLine, RowsAction, tabPaths } from "../shared/frame.tsx";
import { filterText, readFilter, toCursor, NextPage, type Query } from "../shared/filters.tsx";
import { HeldCard, readHeldCard } from "./held.tsx";
import type { ConsoleDeps, OpsPage, View } from "../shared/ops-page.ts";
import { Quarantine, quarantineFields } from "./quarantine.tsx";
import { Figure, ProductLink } from "../shared/cells.tsx";
import { readDeadLetters } from "../../../search/mirror/writes/dead-letters.ts";

const quarantineShown = 50;
const lettersShown = 50;

export function createMirror({ opsDb, mirrorStatus, placement, searchClient }: ConsoleDeps): View {
  return async (page, c) => {
    const { o } = page;
    const fields = quarantineFields(page);
    const asked = readFilter(c, fields);
    const { reason, shop_id: shopId } = asked;
    const heldShop = filterText(c.req.query("held_shop"));
    const cursorOf = (name: string) => toCursor(c.req.query(name));
    const [after, deadAfter, before] = [
      cursorOf("after"),
      cursorOf("dead_after"),
      cursorOf("before"),
    ];
    // Whoever turns a page of one list stays where they are in the others.
    const query = { held_shop: heldShop, after, dead_after: deadAfter, ...asked, before };
    // A search shows it: an engine may answer and lack the index.
    const isSearched = searchClient.askAnew([warmUpQuery]).then(
      () => true,
      () => false,
    );
    const [status, hosts, held, deadLetters, quarantined] = await Promise.all([
      mirrorStatus(),
      placement(),
      readHeldCard(opsDb, { now: page.now, after: after ?? 0, shopId: heldShop }),
      readDeadLetters(opsDb, { limit: lettersShown, after: deadAfter ?? 0 }),
      readQuarantine(opsDb, { reason, shopId, before, limit: quarantineShown }),
    ]);
    return (
      <>
        <h1>{o.tabs.mirror}</h1>
        <NoticeLine page={page} at="mirror" words={{ item_ids: o.held.tick }} />
        <div class="grid">
          <section class="card panel" aria-labelledby="mirror-heading">
            <h2 id="mirror-heading">{o.mirror.index}</h2>
            <div id="mirror" data-live>
              {status.serving && !(await isSearched) && (
                <p class="notice warn">{o.mirror.unsearched}</p>
              )}
              <Indexes page={page} status={status} />
              <Proof page={page} status={status} />
            </div>
            <div class="buttons">
              <Action page={page} to="/ops/mirror/verify" label={o.mirror.verify} />
              <Action
                page={page}
                to="/ops/mirror/rebuild"
                label={o.mirror.rebuild}
                confirm={o.mirror.rebuildConfirm}
                look="small"
              />
            </div>
          </section>
        </div>
        <PlacementCard page={page} placement={hosts} />
        <HeldCard page={page} query={query} content={held} />
        <DeadLettersCard page={page} query={query} letters={deadLetters} />
        <Card id="quarantine" title={o.mirror.quarantine} live>
          <Quarantine page={page} query={query} fields={fields} asked={asked} found={quarantined} />
        </Card>
      </>
    );
  };
}

function Indexes({ page, status }: { page: OpsPage; status: MirrorStatus }) {
  const { serving, building } = status;
  if (!serving && !building) return <p class="quiet">{page.o.mirror.none}</p>;
  return (
    <>
      {serving && <Index page={page} index={serving} state={page.o.mirror.serving} />}
      {building && <Index page={page} index={building} state={page.o.mirror.building} />}
    </>
  );
}

function Index({ page, index, state }: { page: OpsPage; index: IndexStatus; state: string }) {
  const { o, f } = page;
  const figures = [
    [o.mirror.lag, f.duration(index.lagSeconds)],
    [o.mirror.clean, f.number(index.clean)],
    [o.mirror.dirty, f.number(index.dirty)],
    [o.mirror.deadLettered, f.number(index.deadLettered)],
    [o.mirror.oldestTask, f.duration(index.oldestTaskSeconds)],
  ] as const;
  return (
    <>
      <p>
        <code>{index.indexUid}</code> <span class="tag good">{state}</span>
      </p>
      <dl class="figures">
        {figures.map(([name, value]) => (
          <Figure name={name} value={value} />
        ))}
      </dl>
    </>
  );
}

function Proof({ page, status: { lastVerify } }: { page: OpsPage; status: MirrorStatus }) {
  const { o, f } = page;
  if (!lastVerify) return <p class="quiet">{o.mirror.proofNever}</p>;
  const { documents, missing, stale, stray, repaired, finishedAt } = lastVerify;
  const isClean = missing + stale + stray === 0;
  return (
    <p>
      <span class={isClean ? "tag good" : "tag sale"}>{o.mirror.proof}</span>{" "}
      {f.ago(new Date(finishedAt))} –{" "}
      {o.mirror.proofResult(
        f.number(documents),
        f.number(missing),
        f.number(stale),
        f.number(stray),
      )}
      {repaired > 0 && ` – ${o.mirror.repaired(f.number(repaired))}`}
    </p>
  );
}

/** Which of several search hosts has which share of the products; nothing with one host. */
function PlacementCard({ page, placement }: { page: OpsPage; placement: PlacementStatus }) {
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

const resendPath = "/ops/mirror/resend";

type Letters = Awaited<ReturnType<typeof readDeadLetters>>;

/** Products that the search engine refuses, and what can be done about each or all of a page. */
function DeadLettersCard(props: { page: OpsPage; query: Query; letters: Letters }) {
  const { page, query, letters } = props;
  const { o, f, m } = page;
  const words = o.filters;
  const { items, next } = letters;
  return (
    <Card id="dead-letters" title={words.deadLetters} live>
      <WideTable
        label={words.deadLetters}
        empty={words.noDeadLetters}
        rows={items}
        columns={({ head, column, times }) => [
          head(m.product.product, ProductLink),
          column(m.product.shop, ({ shopName }) => <bdi>{shopName}</bdi>),
          times(o.mirror.since, ({ since }) => f.dateTime(since)),
          { name: o.mirror.error, lang: "en", cell: ({ error }) => error },
          column(o.action, ({ itemId, title }) => (
            <RowsAction
              page={page}
              to={resendPath}
              label={words.resend}
              about={title}
              ids={[itemId]}
            />
          )),
        ]}
      />
      <RowsAction
        page={page}
        to={resendPath}
        label={words.resendPage}
        ids={items.map(({ itemId }) => itemId)}
      />
      <NextPage page={page} path={tabPaths.mirror} query={query} name="dead_after" at={next} />
    </Card>
  );
}
