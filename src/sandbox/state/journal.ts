import { z } from "zod";

/** Stores the sandbox's records between starts. */
export interface Journal {
  /** Whether records of an earlier start were found. */
  readonly isResumed: boolean;
  /** The address under which it was published last; null: none, or it is not known. */
  readonly formerUrl: string | null;
  /** The stored records of one kind, by id. */
  stored(kind: string): ReadonlyMap<string, unknown>;
  /** Notes the new value of a record, which must not be changed afterwards; null: it is deleted. */
  note(kind: string, id: string, body: unknown): void;
  /** Resolves once all notes are stored. Rejects, and keeps the notes, if they cannot be written. */
  flush(): Promise<void>;
  /** Publishes the address of this sandbox for other processes. */
  announce(url: string): Promise<void>;
  close(): Promise<void>;
}

/** Stores nothing. */
export function createMemoryJournal(): Journal {
  return {
    isResumed: false,
    formerUrl: null,
    stored: () => new Map(),
    note: () => {},
    flush: () => Promise.resolve(),
    announce: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

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

type Numbered = "shop" | "item" | "variation" | "category" | "saving";

const startsAfter: Record<Numbered, number> = {
  shop: 0,
  item: 100_000,
  variation: 500_000,
  category: 1_000,
  saving: 10_000,
};

export type Ids = ReturnType<typeof createIds>;

/** Numbers that are used only once, even after a restart. */
export function createIds(journal: Journal) {
  const last = createRecords(journal, "sequence", z.int());
  const lastOf = (kind: Numbered) => last.get(kind) ?? startsAfter[kind];
  return {
    /** The next number of this kind, `step` above the last. */
    next(kind: Numbered, step = 1): number {
      const id = lastOf(kind) + step;
      last.put(kind, id);
      return id;
    },
    /** Marks the numbers up to this one as used. */
    skip(kind: Numbered, upTo: number): void {
      if (upTo > lastOf(kind)) last.put(kind, upTo);
    },
  };
}
