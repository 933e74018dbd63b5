-- The same words as before. To find a character by its number, Postgres counts from the first one: pairs by number took
-- minutes for a product with thousands of categories.
create or replace function text_words(body text) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(coalesce(array_agg(distinct word), '{}')) from (
    select word[1] as word from regexp_matches(body, '[a-z0-9]+(?:[./][0-9]+)*', 'g') word
    union all
    select word[1] from regexp_matches(body, '[0-9]+|[a-z]+', 'g') word
    union all
    select replace(word[1], '-', '') from regexp_matches(body, '[a-z0-9]+(?:-[a-z0-9]+)+', 'g') word
    union all
    select unnest(array[char, case when ascii(next) > 127 then char || next end])
    from (
      select char, lead(char) over (order by place) as next
      from unnest(string_to_array(body, null)) with ordinality u(char, place)
    ) pairs
    where ascii(char) > 127
  ) words where word is not null
$$;
