import { sql } from "drizzle-orm";
import type { Tx } from "../../db/open.ts";

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
  verdict: "ok" | "odd" | "refused" | "failed";
}

export type Verdict =
  /** Failures are the fault of their subjects. */
  | "subjects"
  /** Too many different shops or keywords have answers that contradict what is known. */
  | "odd"
  /** Too many different shops or keywords have no usable answer. */
  | "failing";

const LATEST = 12;
/** So many odd shops or keywords among the latest answers mean that the upstream is at fault. */
const TOO_MANY_ODD = 4;
/** So many failures of so many shops or keywords mean that the upstream fails. */
const TOO_MANY_FAILED = 6;
const TOO_MANY_FAILING = 3;
/** Refused calls are their own fault, unless so many are refused and no other call succeeds. */
const TOO_MANY_REFUSED = 4;

/** Distinguishes the fault of a shop or keyword from a fault of the upstream. Pure. */
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

/** The latest answers, from the ledger, so that every process judges by the same ones. */
export async function readLatestAnswers(tx: Tx): Promise<LatestAnswer[]> {
  const rows = await tx.execute<{ subject: string; verdict: LatestAnswer["verdict"] }>(sql`
    select case operation when 'refresh' then 'shop ' || (params ->> 'shop_id')
        else 'keyword ' || (params ->> 'q') end as subject,
      case when outcome like 'anomalous%' or (outcome = 'ok' and (
          (operation = 'refresh' and asked >= 10 and returned = 0)
          or (returned >= 5 and quarantined * 2 >= returned))) then 'odd'
        when outcome = 'ok' then 'ok'
        when outcome in ('search_error', 'bad_params') then 'refused' else 'failed' end as verdict
    from (
      select * from api_call where outcome is not null and outcome not in ('aborted', 'not_sent')
      order by id desc limit ${LATEST}) latest`);
  return [...rows];
}
