import { violation, type Evidence, type Finding } from "./evidence.ts";

/** Single writers stay single, and terms of office only rise. */
export async function checkLeaders({ sql, memory }: Evidence): Promise<Finding> {
  const leases = await sql<{ name: string; epoch: string }[]>`select name, epoch from lease`;
  const fallen = leases.filter(({ name, epoch }) => Number(epoch) < (memory.epochs.get(name) ?? 0));
  for (const { name, epoch } of leases) memory.epochs.set(name, Number(epoch));
  const disorder = await sql`
    with batch as (
      select id, lease_epoch, 'mirror:' || regexp_replace(index_uid, '\\d+$', '') as lease from mirror_batch)
    select id from (
      select id, lease_epoch, lag(lease_epoch) over (partition by lease order by id) as before from batch) b
    where lease_epoch < before
    union all
    select b.id from batch b join lease l on l.name = b.lease where b.lease_epoch > l.epoch`;
  const shared = await sql`
    select r ->> 0 as item_id from mirror_batch b cross join lateral jsonb_array_elements(b.rows) r
    where b.state in ('building', 'sent') group by b.index_uid, r ->> 0 having count(*) > 1`;
  const twice = await sql`
    select a.id, b.id as other from job_run a join job_run b on a.job = b.job and a.id < b.id
      and tstzrange(a.started_at, a.finished_at) && tstzrange(b.started_at, b.finished_at)
    where a.trigger <> 'cron' and b.trigger <> 'cron'`;
  return {
    violations: [
      ...violation("leases whose term went back", fallen),
      ...violation("batches of a term that was over", disorder),
      ...violation("products in two writes at once", shared),
      ...violation("runs of one job at once", twice),
    ],
    seen: leases.map(({ name, epoch }) => `${name} in term ${epoch}`).join(", "),
  };
}

interface Task {
  uid: number;
  type: string;
  enqueuedAt: string;
  error: { code: string } | null;
}

/** Whatever was begun has ended: batches, tasks, requests, statements, locks; and every product is planned. */
export async function checkStuck(evidence: Evidence): Promise<Finding> {
  const { sql, isSettled, passBeganAt } = evidence;
  const batches = await sql`
    select b.id, b.state from mirror_batch b join mirror_index i using (index_uid)
    where b.state in ('building', 'sent') and i.state <> 'retired'`;
  const requests =
    isSettled && passBeganAt
      ? await sql`select id, item_id from refresh_request
          where done_at is null and requested_at < ${passBeganAt.toISOString()}`
      : [];
  const unplanned = await sql`
    select p.item_id as product, c.item_id as scheduled
    from (select * from product where state <> 'gone') p full join product_schedule c using (item_id)
    where p.item_id is null or c.item_id is null or p.shop_id <> c.shop_id
      or p.checked_at <> c.checked_at or (p.state = 'missing') <> c.suspected`;
  const sessions = await sql`
    select application_name, state, query from pg_stat_activity
    where application_name like 'kurabe:%' and (
      (state = 'active' and query_start < now() - interval '30 s')
      or (state like 'idle in transaction%' and state_change < now() - interval '10 s'))`;
  const locks = await sql`
    select l.pid from pg_locks l left join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and l.granted
      and (a.pid is null or (a.state = 'idle' and a.state_change < now() - interval '10 s'))`;
  const waiting = await tasks(evidence, "statuses=enqueued,processing&reverse=true&limit=1");
  const failed = await tasks(
    evidence,
    "statuses=failed&types=documentAdditionOrUpdate,documentDeletion&limit=100",
  );
  const guilty = failed.filter((task) => task.error?.code !== "index_not_found");
  return {
    violations: [
      ...violation("writes without an end", batches),
      ...violation("refreshes asked for and never answered", requests),
      ...violation("products that the planner does not know as they are", unplanned),
      ...violation("statements that hang", sessions),
      ...violation("locks without a living owner", locks),
      ...violation("tasks still waiting in the engine", waiting),
      ...violation("failed writes in the engine", guilty),
    ],
    seen: `${failed.length} failed writes in the engine`,
  };
}

/** Of every search host. */
async function tasks({ hosts, engine }: Evidence, query: string): Promise<Task[]> {
  const answers = await Promise.all(
    hosts.map((host) => engine<{ results: Task[] }>(host, `/tasks?${query}`)),
  );
  return answers.flatMap(({ results }) => results);
}
