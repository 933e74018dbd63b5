-- A predicate that products can meet by several keys, such as a word with its spellings, serves as the second one too.
ALTER TABLE "saved_search_anchor" ALTER COLUMN "also" SET DATA TYPE text[]
  USING case when "also" is null then null else array["also"] end;
