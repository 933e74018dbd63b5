-- What shops type for want of a number is no GTIN: one digit repeated, or counted digits, with a right check digit (see `toGtin14`).
with body as (
  select lpad(repeat(digit::text, places), 13, '0') as digits from generate_series(1, 9) digit, generate_series(7, 13) places
  union
  select lpad(left(counted, places), 13, '0')
  from unnest(array['1234567890123', '9876543210987']) counted, generate_series(7, 13) places
), filler as (
  select digits || (10 - weighted % 10) % 10 as gtin
  from body, lateral (
    select sum(substr(digits, place, 1)::integer * case when place % 2 = 1 then 3 else 1 end) as weighted from generate_series(1, 13) place
  ) summed
), cleared as (
  -- An array, so that the index is read: their number is not known beforehand.
  update variation set gtin = null where gtin is not null and gtin = any (array(select gtin from filler)) returning item_id
), concerned as (select array(select distinct item_id from cleared) as item_ids)
select match_mark_due(item_ids), mirror_mark_dirty(item_ids) from concerned;
