import { sql } from "drizzle-orm";
import { idList, type RowOf } from "../../db/rows.ts";
import type { Db, Tx } from "../../db/open.ts";
import type {
  KeptField,
  RefreshItem,
  RefreshPage,
  SearchItem,
  SearchPage,
} from "../../storefront/product.ts";
import { StorefrontError } from "../../storefront/errors.ts";
import { showsFound, type PlannedCall } from "./planned-call.ts";

/** A valid answer that contradicts what is known too much to be stored. */
export class AnomalousAnswer extends StorefrontError {
  override readonly name = "AnomalousAnswer";
  /** The count that a search answered, if that is the anomaly. */
  readonly found: number | null;

  constructor(code: string, message: string, found: number | null = null) {
    super(code, message);
    this.found = found;
  }
}

/** A keyword that found so many does not find less than this share the next time. */
const foundEnough = 50;
const foundShare = 0.2;
/** If at least so many products had a field, and at least this share of them loses it at once, the answer is anomalous. */
const hadEnough = 10;
const lostShare = 0.8;
/** Fewer items than this say nothing about the upstream. */
const enough = 5;
const unreadableShare = 0.5;
const anomalousAbsence = "anomalous_absence";

/** Throws an `AnomalousAnswer` if a search finds far less than last time. */
export function refuseCollapse(expectedFound: number | null, page: SearchPage): void {
  if (page.found === null || expectedFound === null || expectedFound < foundEnough) return;
  if (page.found >= expectedFound * foundShare) return;
  throw new AnomalousAnswer(
    "anomalous_found",
    `found ${page.found}, but ${expectedFound} the last time`,
    page.found,
  );
}

const keeps = (item: RefreshItem, field: KeptField) =>
  item.unreadable?.fields.includes(field) ?? false;
/** A refresh does not show variations, and so has not lost them. */
const showsVariations = (item: RefreshItem | SearchItem): item is SearchItem =>
  "variations" in item && !keeps(item, "variations");

const contents: Record<string, (item: RefreshItem | SearchItem) => boolean> = {
  title: (item) => item.title !== "",
  detail: (item) => item.detail !== "" || keeps(item, "detail"),
  price: (item) => item.price > 0,
  images: (item) => item.images.some((slot) => slot !== null),
  categories: (item) => item.categories.length > 0 || keeps(item, "categories"),
  variations: (item) => !showsVariations(item) || item.variations.length > 0,
  barcodes: (item) => !showsVariations(item) || item.variations.some((v) => v.barcode !== null),
};

/** Throws an `AnomalousAnswer` if an answer shows nothing where there was something, and those before it were odd already. */
export async function refuseSilence(tx: Tx, suspicion: Suspicion | null): Promise<void> {
  if (suspicion?.code !== anomalousAbsence || judge(await readLatestAnswers(tx)) !== "odd") return;
  throw new AnomalousAnswer(suspicion.code, suspicion.reason);
}

type Known = { item_id: number } & Record<string, boolean | number>;

/**
 * Throws an `AnomalousAnswer` if most products have lost a field that they had, one of `contents`.
 */
export async function refuseBlanks(tx: Tx, items: readonly RefreshItem[]): Promise<void> {
  if (items.length < hadEnough) return;
  const rows = await tx.execute<Known>(sql`
    select item_id, title <> '' as title, detail <> '' as detail, price > 0 as price,
      jsonb_path_exists(images, '$[*] ? (@ != null)') as images, categories <> '[]' as categories,
      variations <> '[]' as variations, jsonb_path_exists(variations, '$[*] ? (@.barcode != null)') as barcodes
    from product where item_id in ${idList(items.map((item) => item.itemId))} and state <> 'gone'`);
  const known = new Map(rows.map((row) => [row.item_id, row]));
  for (const [field, has] of Object.entries(contents)) {
    const had = items.filter((item) => known.get(item.itemId)?.[field] === true);
    const lost = had.filter((item) => !has(item)).length;
    if (had.length < hadEnough || lost < had.length * lostShare) continue;
    throw new AnomalousAnswer(
      "anomalous_blanks",
      `${lost} of ${had.length} products have lost their ${field}`,
    );
  }
}

/** What is odd about an answer whose items can still be stored. */
export function suspicionOf(call: PlannedCall, page: RefreshPage): Suspicion | null {
  const { items, broken } = page;
  const returned = items.length + broken.length;
  if (returned >= enough && broken.length >= returned * unreadableShare) {
    const reason = `${broken.length} of ${returned} items are unreadable: ${broken[0]?.reason ?? ""}`;
    return { code: "anomalous_items", reason };
  }
  if (returned > 0) return null;
  if (call.operation === "refresh") {
    const reason = `none of ${call.itemIds.length} products of ${call.shopId} exists any more`;
    return { code: anomalousAbsence, reason };
  }
  if (!showsFound(call)) return null;
  const reason = `"${call.params.q}" finds nothing, but ${call.expectedFound} the last time`;
  return { code: anomalousAbsence, reason };
}

const maxFields = 500;

/** Returns the field names that were not given before. */
export function createNewFields(): (names: readonly string[]) => string[] {
  const known = new Set<string>();
  return (names) => {
    const fresh = names.filter((name) => !known.has(name));
    for (const name of fresh) if (known.size < maxFields) known.add(name);
    return known.size < maxFields ? fresh : [];
  };
}

/** Why an answer contradicts earlier ones. */
export interface Suspicion {
  code: string;
  /** For people. It is shown to ops, so it contains no credentials and no markup. */
  reason: string;
}

/** One of the latest answered calls in the ledger. */
export interface LatestAnswer {
  /** Its shop or keyword. */
  subject: string;
  /** Of how many products; 0: it was a search. */
  asked: number;
  /** `empty`: it is valid and shows no product. */
  verdict: "ok" | "empty" | "odd" | "refused" | "failed";
}

export type Verdict =
  /** Failures are the fault of their subjects. */
  | "subjects"
  /** Too many different shops or keywords have answers that contradict what is known. */
  | "odd"
  /** Too many different shops or keywords have no usable answer. */
  | "failing";

const latestAnswers = 12;
/** So many odd shops or keywords among the latest answers mean that the upstream is at fault. */
const tooManyOdd = 4;
/** So many shops of whose products, ten or more together, none is left mean that, if nothing was shown between. */
const tooManyEmpty = 3;
/** So many failures of so many shops or keywords mean that the upstream fails. */
const tooManyFailed = 6;
const tooManyFailing = 3;
/** Refused calls are their own fault, unless so many are refused and no other call succeeds. */
const tooManyRefused = 4;

/** Distinguishes the fault of a shop or keyword from a fault of the upstream. Pure. */
export function judge(latest: readonly LatestAnswer[]): Verdict {
  const distinct = (answers: readonly LatestAnswer[]) =>
    new Set(answers.map((answer) => answer.subject)).size;
  const odd = latest.filter(
    ({ verdict, asked }) => verdict === "odd" || (verdict === "empty" && asked >= hadEnough),
  );
  if (distinct(odd) >= tooManyOdd) return "odd";
  if (isSilent(latest)) return "odd";
  const failed = latest.filter((answer) => answer.verdict === "failed");
  if (failed.length >= tooManyFailed && distinct(failed) >= tooManyFailing) return "failing";
  const refused = latest.filter((answer) => answer.verdict === "refused");
  const isNoneOk = latest.every(({ verdict }) => verdict !== "ok" && verdict !== "empty");
  if (isNoneOk && distinct(refused) >= tooManyRefused) return "failing";
  return "subjects";
}

/** Whether too many shops in a row had none of the products that they were asked for, and no other answer showed any between. */
export function isSilent(latest: readonly LatestAnswer[]): boolean {
  const shown = latest.findIndex((answer) => answer.verdict === "ok");
  const askedOf = new Map(
    latest
      .slice(0, shown === -1 ? latest.length : shown)
      .filter(({ verdict, asked }) => asked > 0 && verdict === "empty")
      .map(({ subject, asked }) => [subject, asked]),
  );
  const asked = [...askedOf.values()].reduce((sum, one) => sum + one, 0);
  return askedOf.size >= tooManyEmpty && asked >= hadEnough;
}

/** The latest answers, from the ledger, so that every process judges by the same ones. */
export async function readLatestAnswers(tx: Db | Tx): Promise<LatestAnswer[]> {
  const rows = await tx.execute<RowOf<LatestAnswer>>(sql`
    select case operation when 'refresh' then 'shop ' || (params ->> 'shop_id')
        else 'keyword ' || (params ->> 'q') end as subject,
      case operation when 'refresh' then coalesce(asked, 0) else 0 end as asked,
      case when operation = 'refresh' and (outcome = ${anomalousAbsence} or outcome = 'ok' and returned = 0) then 'empty'
        when outcome like 'anomalous%'
          or outcome = 'ok' and returned >= ${enough} and quarantined * 2 >= returned then 'odd'
        when outcome = 'ok' then case when returned = 0 then 'empty' else 'ok' end
        when outcome in ('search_error', 'bad_params') then 'refused' else 'failed' end as verdict
    from (
      select * from api_call where outcome is not null and outcome not in ('aborted', 'not_sent')
      order by id desc limit ${latestAnswers}) latest`);
  return [...rows];
}
