-- What is missing is counted from the next scan on: it was kept relative to loss rates that have changed since.
update crawl_query set scans = scans - 'absences' where scans ? 'absences';
