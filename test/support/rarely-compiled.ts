/**
 * Options of Node for processes that end within minutes: only what runs very often is compiled by the optimiser, which
 * else takes more time than its code saves. Versions of Node after 20 know no such option, and refuse to start with it.
 */
export const rarelyCompiled = process.version.startsWith("v20.")
  ? ["--interrupt-budget=1000000"]
  : [];
