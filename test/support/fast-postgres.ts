/** Fast but unsafe settings, for data that need not survive a crash. */
export const fastPostgres: Record<string, string> = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "300",
  shared_buffers: "128MB",
};
