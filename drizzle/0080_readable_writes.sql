-- The rows of a write to the engine: pairs of a product and its version. JSON of another shape would hold up all writes.
create function is_readable(b mirror_batch) returns boolean language sql immutable as $$
  select case when jsonb_typeof(b.rows) <> 'array' then false
    when jsonb_path_exists(b.rows, 'strict $[*] ? (@.type() != "array" || @.size() != 2)', silent => true) then false
    else is_ids(jsonb_path_query_array(b.rows, '$[*][*]')) end
$$;
--> statement-breakpoint
create trigger mirror_batch_readable before insert or update of rows on mirror_batch for each row
  when (is_readable(new) is not true) execute function keep_readable('{"rows": []}');
--> statement-breakpoint
update mirror_batch b set rows = rows where state in ('building', 'sent') and is_readable(b) is not true;
