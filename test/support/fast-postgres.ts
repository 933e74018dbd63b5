/** Fast but unsafe settings, for data that need not survive a crash. */
export const fastPostgres: Record<string, string> = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "300",
  shared_buffers: "128MB",
  wal_compression: "off",
  // Its workers would visit each database of a test once, to look at tables that are gone a moment later.
  autovacuum: "off",
  // What is read is in the memory of the machine: a process that reads for others only takes turns.
  io_method: "sync",
};
