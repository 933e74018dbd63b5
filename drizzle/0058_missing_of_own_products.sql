-- What was counted as missing compared with all that a keyword finds, whichever keyword showed it.
UPDATE "crawl_query" SET "scans" = "scans" - 'absences' WHERE "scans" ? 'absences';
