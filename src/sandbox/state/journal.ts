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
