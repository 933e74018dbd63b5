-- What a product has as JSON. Another shape would end every answer, page and statement that shows the product among others.
create function are_readable(images jsonb, variations jsonb, categories jsonb) returns boolean language sql immutable as $$
  select case when jsonb_typeof(images) <> 'array' or jsonb_typeof(variations) <> 'array'
      or jsonb_typeof(categories) <> 'array' then false
    else not jsonb_path_exists(images, '$[*] ? (@.type() != "object" && @.type() != "null")')
      and not jsonb_path_exists(images, '$[*].* ? (@.type() != "string")')
      and not jsonb_path_exists(variations, '$[*] ? (@.type() != "object" || !exists(@.variation ? (@.type() == "string")))')
      and not jsonb_path_exists(variations, '$[*].barcode ? (@.type() != "string" && @.type() != "null")')
      and not jsonb_path_exists(categories, '$[*] ? (@.type() != "string")') end
$$;
--> statement-breakpoint
create function is_readable(p product) returns boolean language sql immutable as $$
  select are_readable(p.images, p.variations, p.categories)
$$;
--> statement-breakpoint
-- Its condition names columns, because a row with generated ones cannot be looked at as a whole.
create trigger product_readable before insert or update of images, variations, categories on product for each row
  when (are_readable(new.images, new.variations, new.categories) is not true)
  execute function keep_readable('{"images": [], "variations": [], "categories": []}');
