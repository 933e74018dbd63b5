import type { z } from "zod";
import type { Journal } from "./journal.ts";

/**
 * The records of one kind in memory: at first the stored ones. Each change is noted in the journal. Throws a
 * `ZodError` if they cannot be read.
 */
export function createRecords<T>(journal: Journal, kind: string, schema: z.ZodType<T>) {
  const records = new Map<string, T>();
  for (const [id, body] of journal.stored(kind)) records.set(id, schema.parse(body));
  return {
    get: (id: string) => records.get(id),
    /** Adds or replaces a record; records are never changed in place. */
    put(id: string, record: T): void {
      records.set(id, record);
      journal.note(kind, id, record);
    },
    remove(id: string): boolean {
      if (!records.delete(id)) return false;
      journal.note(kind, id, null);
      return true;
    },
    values: () => records.values(),
    entries: () => records.entries(),
  };
}
