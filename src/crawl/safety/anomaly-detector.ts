import { sql } from "drizzle-orm";
import type { Tx } from "../../db/open.ts";

/** Why an answer is not like those before it. */
export interface Suspicion {
  code: string;
  /** For people; nothing of credentials or markup, it is shown to ops. */
  reason: string;
}

/** One of the latest answered calls, as the ledger has it. */
export interface LatestAnswer {
  /** The shop or keyword that it was about. */
  subject: string;
  verdict: "ok" | "odd" | "refused" | "failed";
}

export type Verdict =
  /** Whatever went wrong is a matter of its subjects. */
  | "subjects"
  /** Too many different shops or keywords give answers that contradict what is known. */
  | "odd"
  /** Too many different shops or keywords give no usable answer. */
  | "failing";

const LATEST = 12;
/** So many odd shops or keywords among the latest answers make an odd upstream. */
const TOO_MANY_ODD = 4;
/** So many failures, of so many shops or keywords, make a failing one. */
const TOO_MANY_FAILED = 6;
const TOO_MANY_FAILING = 3;
/** What was asked for is refused for its own sake, unless nothing else succeeds beside so many of them. */
const TOO_MANY_REFUSED = 4;

/** Tells the fault of a shop or keyword from one of the upstream. Pure. */
export function judge(latest: readonly LatestAnswer[]): Verdict {
  const distinct = (answers: readonly LatestAnswer[]) =>
    new Set(answers.map((answer) => answer.subject)).size;
  const odd = latest.filter((answer) => answer.verdict === "odd");
  if (distinct(odd) >= TOO_MANY_ODD) return "odd";
  const failed = latest.filter((answer) => answer.verdict === "failed");
  if (failed.length >= TOO_MANY_FAILED && distinct(failed) >= TOO_MANY_FAILING) return "failing";
  const refused = latest.filter((answer) => answer.verdict === "refused");
  const isNoneOk = latest.every((answer) => answer.verdict !== "ok");
  if (isNoneOk && distinct(refused) >= TOO_MANY_REFUSED) return "failing";
  return "subjects";
}

/** The latest answers, read from the ledger: every process judges by the same ones. */
export async function readLatestAnswers(tx: Tx): Promise<LatestAnswer[]> {
  const rows = await tx.execute<{ subject: string; verdict: LatestAnswer["verdict"] }>(sql`
    select case operation when 'refresh' then 'shop ' || (params ->> 'shop_id')
        else 'keyword ' || (params ->> 'q') end as subject,
      case when outcome like 'strange%' or (outcome = 'ok' and (
          (operation = 'refresh' and asked >= 10 and returned = 0)
          or (returned >= 5 and quarantined * 2 >= returned))) then 'odd'
        when outcome = 'ok' then 'ok'
        when outcome in ('search_error', 'bad_params') then 'refused' else 'failed' end as verdict
    from (
      select * from api_call where outcome is not null and outcome not in ('aborted', 'not_sent')
      order by id desc limit ${LATEST}) latest`);
  return [...rows];
}
