import type { ReviewPair } from "../../../matching/review/review.ts";
import { type Reason, splitByCommonWords } from "../../../matching/review/reasons.ts";
import type { MatchSide } from "../../../matching/review/sides.ts";
import { Picture } from "../../shared/product/picture.tsx";
import { FormToken } from "../shared/frame.tsx";
import { mayOperate, nameOf, type OpsPage } from "../shared/ops-page.ts";
import { Figure } from "../shared/cells.tsx";

/** Two products side by side, what speaks for and against one product, and a button for each decision. */
export function MatchPair({ page, pair }: { page: OpsPage; pair: ReviewPair }) {
  const { o, f } = page;
  const { a, b, reasons } = pair;
  const words = o.matches;
  return (
    <>
      <p>
        <span class="tag">{words.score(f.percent(pair.score))}</span>{" "}
        <span class="tag">{words.kinds[pair.kind]}</span>{" "}
        <span class="quiet">{words.tiers[pair.tier]}</span>
      </p>
      <div class="pair">
        <Side page={page} side={a} other={b} name={words.left} />
        <Side page={page} side={b} other={a} name={words.right} />
        <Reasons page={page} title={words.speaksFor} reasons={reasons.speaksFor} />
        <Reasons page={page} title={words.against} reasons={reasons.against} />
      </div>
      {mayOperate(page) && (
        <form method="post" action="/ops/matches/decide" class="buttons" data-decide>
          <FormToken page={page} />
          <input type="hidden" name="a" value={String(a.itemId)} />
          <input type="hidden" name="b" value={String(b.itemId)} />
          <Choice decision="same" letter="S" label={words.same} />
          <Choice decision="different" letter="D" label={words.different} />
          <Choice decision="unsure" letter="U" label={words.unsure} />
        </form>
      )}
    </>
  );
}

function Choice(props: { decision: string; letter: string; label: string }) {
  const { decision, letter, label } = props;
  return (
    <button
      class={decision === "unsure" ? "plain" : ""}
      name="decision"
      value={decision}
      data-key={letter.toLowerCase()}
    >
      {label} <kbd aria-hidden="true">{letter}</kbd>
    </button>
  );
}

function Side(props: { page: OpsPage; side: MatchSide; other: MatchSide; name: string }) {
  const { page, side, other, name } = props;
  const { o, m, money } = page;
  return (
    <section class="side" aria-label={name}>
      <Picture page={page} slot={side.image} sizes="(min-width: 40rem) 15rem, 45vw" alt="" eager />
      <h3>
        <a href={`/products/${side.itemId}`} target="_blank" rel="noopener">
          <bdi>
            {splitByCommonWords(side.title, other.title).map(({ text, differs }) =>
              differs ? <mark>{text}</mark> : text,
            )}
          </bdi>
        </a>
      </h3>
      <p>
        <strong class="price">{side.price > 0 ? money(side.price) : m.product.noPrice}</strong>{" "}
        {side.stock <= 0 && <span class="tag">{m.product.outOfStock}</span>}
      </p>
      <p>
        <bdi>{side.shop.shopName}</bdi>
      </p>
      {side.gtins.length > 0 && <p class="fine">{side.gtins.join(", ")}</p>}
      {side.categories.length > 0 && (
        <p class="fine">
          <bdi>{side.categories.join(", ")}</bdi>
        </p>
      )}
      {side.groupId !== null && (
        <p class="fine">
          {o.matches.group} {side.groupId}
        </p>
      )}
    </section>
  );
}

function Reasons(props: { page: OpsPage; title: string; reasons: readonly Reason[] }) {
  const { page, title, reasons } = props;
  return (
    <section class="reasons">
      <h3>{title}</h3>
      {reasons.length === 0 ? (
        <p class="quiet">{page.o.matches.nothing}</p>
      ) : (
        <dl class="lines">
          {reasons.map((reason) => (
            <Figure name={nameOf(page.o.matches.about, reason.about)}>
              <bdi>{toText(page, reason)}</bdi>
            </Figure>
          ))}
        </dl>
      )}
    </section>
  );
}

function toText({ o, money }: OpsPage, { about, left, right }: Reason): string {
  if (left === null && right === null) return about === "words" ? o.matches.allWords : "–";
  const show = (value: string | null) =>
    value === null ? "–" : about === "price" ? money(Number(value)) : value;
  return left === right ? show(left) : `${show(left)} / ${show(right)}`;
}
