import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { must } from "../lib/must.ts";

/** A worked question of `infra/analytics/questions.md`. */
export interface Question {
  title: string;
  /** The SQL as printed, with values as `:name` or `:'name'`. */
  sql: string;
}

const file = fileURLToPath(new URL("../../infra/analytics/questions.md", import.meta.url));

export async function readQuestions(): Promise<Question[]> {
  const page = await readFile(file, "utf8");
  return [...page.matchAll(/^## (.+)$(?:(?!^## )[^])*?```sql\n([^]*?)```/gm)].map((match) => ({
    title: must(match[1], "a title"),
    sql: must(match[2], "a query").trim().replace(/;$/, ""),
  }));
}

/** Replaces the names by values, quoted as psql does. Throws for a name without a value. */
export function withValues(query: string, values: Record<string, string | number>): string {
  return query.replaceAll(/(?<!:):('?)([a-z_]+)\1/g, (_whole, quote: string, name: string) => {
    const value = String(must(values[name], `a value for ${name}`));
    return quote === "" ? String(Number(value)) : `'${value.replaceAll("'", "''")}'`;
  });
}
