import { violation, type Evidence, type Finding } from "./evidence.ts";

type Day = { day: string; used: string; limit_calls: string; reserved: string };

/** Never more calls than allowed, and none that was not reserved first. */
export async function checkBudget({ sql, upstream }: Evidence): Promise<Finding> {
  const days = await sql<Day[]>`
    select b.day::text, b.used, b.limit_calls,
      (select count(*) from api_call c where c.day = b.day) as reserved from budget_day b`;
  const arrived = Object.entries(upstream.countedByDay);
  const used = new Map(days.map((day) => [day.day, Number(day.used)]));
  const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);
  const total = sum(arrived.map(([, calls]) => calls));
  return {
    violations: [
      ...violation(
        "days used beyond their limit",
        days.filter((day) => Number(day.used) > Number(day.limit_calls)),
      ),
      ...violation(
        "days with more calls in the ledger than counted",
        days.filter((day) => Number(day.reserved) > Number(day.used)),
      ),
      ...violation(
        "days on which more calls arrived than were reserved",
        arrived.filter(([day, calls]) => calls > (used.get(day) ?? 0)),
      ),
      ...violation(
        "days beyond the upstream's limit",
        arrived.filter(([, calls]) => calls > upstream.dailyLimit),
      ),
    ],
    seen: `${total} calls arrived, ${sum([...used.values()])} reserved`,
  };
}

/** Every item of every answer is accounted for. */
export async function checkConservation({ sql, upstream }: Evidence): Promise<Finding> {
  const wrong = await sql`
    select id from api_call where outcome = 'ok' and
      returned is distinct from created + changed + unchanged + quarantined + duplicates`;
  const [sums] = await sql<{ answers: string; returned: string; outcomes: string }[]>`
    select count(*) filter (where outcome = 'ok') as answers,
      coalesce(sum(returned) filter (where outcome = 'ok'), 0) as returned,
      count(*) filter (where (outcome is null) <> (finished_at is null)) as outcomes from api_call`;
  const sent = upstream.calls
    .filter((call) => call.outcome === "ok")
    .reduce((total, call) => total + call.returned.length, 0);
  return {
    violations: [
      ...violation("answers whose items do not add up", wrong),
      ...(Number(sums?.outcomes) > 0 ? ["half-written outcomes in the ledger"] : []),
      ...(Number(sums?.returned) > sent
        ? [`${sums?.returned} items in the ledger, ${sent} were ever sent`]
        : []),
    ],
    seen: `${sums?.answers} answers with ${sums?.returned} items`,
  };
}

type Gone = { item_id: string; call_id: string; found: boolean };

/** A product is only dropped on the word of a valid refresh that asked for it at its own shop. */
export async function checkEvidence({ sql, upstream }: Evidence): Promise<Finding> {
  const gone = await sql<Gone[]>`
    select p.item_id, p.deleted_call_id as call_id, c.id is not null as found from product p
    left join api_call c on c.id = p.deleted_call_id and c.operation = 'refresh' and c.outcome = 'ok'
      and c.params ->> 'shop_id' = p.shop_id and c.params -> 'item_id' @> to_jsonb(p.item_id)
    where p.state = 'gone'`;
  const absent = new Set(
    upstream.calls
      .filter((call) => call.operation === "refresh" && call.outcome === "ok")
      .flatMap((call) => call.asked.filter((id) => !call.returned.includes(id))),
  );
  const sold = new Set(upstream.items.map((item) => item.item_id));
  return {
    violations: [
      ...violation(
        "gone without a valid refresh of their own shop",
        gone.filter((row) => !row.found),
      ),
      ...violation(
        "gone although no answer of the upstream lacked them",
        gone.filter((row) => !absent.has(Number(row.item_id))),
      ),
      ...violation(
        "gone although the upstream still sells them",
        gone.filter((row) => sold.has(Number(row.item_id))),
      ),
    ],
    seen: `${gone.length} products gone, each with its call`,
  };
}
