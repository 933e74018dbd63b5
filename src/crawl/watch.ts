/** Why an answer is not like those before it. */
export interface Suspicion {
  code: string;
  /** For people; nothing of credentials or markup, it is shown to ops. */
  reason: string;
}

export interface Watch {
  /**
   * Notes an answer about `subject`, strange or not. Returns true when strangeness is no longer a
   * matter of one shop or keyword: calls should stop.
   */
  note(subject: string, suspicion: Suspicion | null): boolean;
  /** Of these names of fields those never seen before. */
  newFields(names: readonly string[]): string[];
}

/** So many odd shops or keywords among the latest answers make a strange upstream. */
const REMEMBERED = 12;
const TOO_MANY = 4;
const MAX_FIELDS = 500;

/** Forgotten by a restart: the pause itself is kept in Postgres. */
export function createWatch(): Watch {
  let latest: { subject: string; isStrange: boolean }[] = [];
  const fields = new Set<string>();
  return {
    newFields(names) {
      const fresh = names.filter((name) => !fields.has(name));
      for (const name of fresh) if (fields.size < MAX_FIELDS) fields.add(name);
      return fields.size < MAX_FIELDS ? fresh : [];
    },
    note(subject, suspicion) {
      latest = [...latest, { subject, isStrange: suspicion !== null }].slice(-REMEMBERED);
      const strange = latest.filter((answer) => answer.isStrange).map((answer) => answer.subject);
      return suspicion !== null && new Set(strange).size >= TOO_MANY;
    },
  };
}
