/** Where the sandbox's records are kept from one start to the next. */
export interface Journal {
  /** Whether records of an earlier start were found. */
  readonly isResumed: boolean;
  /** What an earlier start left of one kind, by id. */
  kept(kind: string): ReadonlyMap<string, unknown>;
  /** Notes the present value of a record, which must not be altered afterwards; null: it is gone. */
  note(kind: string, id: string, body: unknown): void;
  /** Resolves once everything noted so far is safe; rejects, and keeps the notes, when it cannot be written. */
  flush(): Promise<void>;
  /** Tells other processes where this sandbox answers. */
  announce(url: string): Promise<void>;
  close(): Promise<void>;
}

/** For tests and measurements: nothing outlives the process. */
export function createForgetfulJournal(): Journal {
  return {
    isResumed: false,
    kept: () => new Map(),
    note: () => {},
    flush: () => Promise.resolve(),
    announce: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
