-- The plans of these statements are made once, when the tables may be empty, and are kept. They look the few rows up
-- by the index, and compare only these with the changed pairs, which have none.
create or replace function review_of_pairs() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if tg_table_name <> 'match_pair' then
    return null;
  end if;
  if tg_op = 'DELETE' then
    delete from match_review r
    where r.a = any (array(select a from old_rows where is_doubtful))
      and exists (select from old_rows o where o.a = r.a and o.b = r.b and o.is_doubtful);
    return null;
  end if;
  if tg_op = 'UPDATE' then
    delete from match_review r
    where r.a = any (array(select a from new_rows where not is_doubtful))
      and exists (select from new_rows n where n.a = r.a and n.b = r.b and not n.is_doubtful);
  end if;
  insert into match_review (a, b, priority)
  select a, b, match_priority(a, b, now()) from new_rows where is_doubtful and not is_decided(a, b) order by a, b
  on conflict do nothing;
  return null;
end $$;
