-- Numbers that every shop may give to goods of its own are no GTINs: see `toGtin14`. Each range is read by the index.
with own as (
  update variation set gtin = null
  where gtin >= '00200000000000' and gtin < '00300000000000' or gtin >= '00400000000000' and gtin < '00500000000000'
    or gtin >= '01920000000000' and gtin < '01930000000000' or gtin >= '02000000000000' and gtin < '03000000000000'
    or gtin < '00000010000000' or gtin >= '00000020000000' and gtin < '00000030000000'
  returning item_id
), concerned as (select array(select distinct item_id from own) as item_ids)
select match_mark_due(item_ids), mirror_mark_dirty(item_ids) from concerned;
