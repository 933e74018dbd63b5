import type { z } from "zod";
import type { Journal } from "./journal.ts";

/** The records of one kind in memory. Each change is noted in the journal. */
export interface Records<T> {
  get(id: string): T | undefined;
  /** Adds or replaces a record; records are never changed in place. */
  put(id: string, record: T): void;
  remove(id: string): boolean;
  values(): Iterable<T>;
  entries(): Iterable<[string, T]>;
}

/** Starts with the stored records of `kind`. Throws a `ZodError` if they cannot be read. */
export function createRecords<T>(journal: Journal, kind: string, schema: z.ZodType<T>): Records<T> {
  const records = new Map<string, T>();
  for (const [id, body] of journal.stored(kind)) records.set(id, schema.parse(body));
  return {
    get: (id) => records.get(id),
    put(id, record) {
      records.set(id, record);
      journal.note(kind, id, record);
    },
    remove(id) {
      if (!records.delete(id)) return false;
      journal.note(kind, id, null);
      return true;
    },
    values: () => records.values(),
    entries: () => records.entries(),
  };
}
