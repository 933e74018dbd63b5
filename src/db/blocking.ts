import { sql } from "drizzle-orm";

/**
 * A table `blocking` of the sessions that hold up others, as far as our account may see them: with the `tables` that they
 * keep all others from (null: none), and for how long others have waited for other locks of theirs (null: nobody waits,
 * which may be because all have given up).
 */
export const blockingSessions = sql`
  with waiting as materialized (
    select pid, coalesce(clock_timestamp() - waitstart, '0') as waits, pg_blocking_pids(pid) as blockers
    from pg_locks join pg_stat_activity using (pid)
    where not granted and datname = current_database()
  ), locked as (
    select pid, string_agg(distinct relname, ', ' order by relname) as tables
    from pg_locks l join pg_class c on c.oid = l.relation
      join pg_database d on d.oid = l.database and d.datname = current_database()
    where granted and mode in ('ExclusiveLock', 'AccessExclusiveLock')
      and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
    group by pid
  ), blocking as (
    select a.pid, usename, application_name, xact_start, tables, w.waits
    from pg_stat_activity a left join locked l using (pid)
    cross join lateral (select max(waits) as waits from waiting where a.pid = any(blockers)) w
    where (tables is not null or w.waits is not null) and a.pid not in (select pid from waiting)
  )`;
