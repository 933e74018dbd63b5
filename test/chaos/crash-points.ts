/** What a process is connected to. The pooler and the replica are those of a large site. */
export type Wire = "upstream" | "database" | "pooler" | "replica" | "engine";

/** A moment of a process's life that the outside world can tell from the others. */
export interface CrashPoint {
  name: string;
  wire: Wire;
  /** Messages of one connection, in this order; a transaction's end begins the count anew. */
  messages: readonly RegExp[];
  /** before: the last message never leaves. unanswered: it is carried out, and nobody is told. */
  dies: "before" | "unanswered";
  /** What has to happen for it to be reached, beyond the steady load. */
  needs?: "deletion" | "failure" | "scan" | "wipe" | "rebuild";
}

const commit = /^commit/;

function around(
  wire: Wire,
  name: string,
  messages: readonly RegExp[],
  needs?: NonNullable<CrashPoint["needs"]>,
): CrashPoint[] {
  const point = { wire, messages, ...(needs ? { needs } : {}) };
  return [
    { ...point, name: `${name}: not yet`, dies: "before" },
    { ...point, name: `${name}: done, nobody told`, dies: "unanswered" },
  ];
}

/**
 * Every step between reserving a call and acknowledging the mirror. A process changes nothing but
 * by messages on these three wires, so dying just before one, or just after it was carried out, are
 * all the states that it can leave behind.
 */
export const crashPoints: readonly CrashPoint[] = [
  ...around("database", "a turn taken", [/as there_ms/]),
  ...around("database", "a call reserved", [/insert into api_call/, commit]),
  ...around("upstream", "a search sent", [/^GET \/1\/search\?/], "scan"),
  ...around("upstream", "a refresh sent", [/^GET \/1\/search\/refresh/]),
  ...around("database", "the answer's products stored", [/insert into product as p/]),
  ...around("database", "the ledger settled", [/^update "api_call" set/]),
  ...around("database", "an answer committed", [/^update "api_call" set/, commit]),
  ...around(
    "database",
    "a deletion committed",
    [/state = 'gone', ver = ver \+ 1/, commit],
    "deletion",
  ),
  ...around(
    "database",
    "a failure committed",
    [/^update "api_call" set/, /^insert into "setting"/, commit],
    "failure",
  ),
  ...around("database", "a batch claimed", [/insert into mirror_batch/, commit]),
  ...around("engine", "documents sent", [/^POST \/indexes\/[^/]+\/documents\?/]),
  ...around(
    "engine",
    "deletions sent",
    [/^POST \/indexes\/[^/]+\/documents\/delete-batch/],
    "deletion",
  ),
  ...around("database", "a ticket kept", [/update mirror_batch set state = 'sent'/, commit]),
  ...around("engine", "a task's end asked for", [/^GET \/tasks\?/]),
  ...around("database", "the task's end acknowledged", [/indexed_version = excluded/]),
  ...around("database", "the acknowledgement committed", [/indexed_version = excluded/, commit]),
  ...around(
    "database",
    "a lost index marked",
    [/indexed_version = 0, attempts = 0/, commit],
    "wipe",
  ),
  ...around("engine", "a lost index made again", [/^POST \/indexes HTTP/], "wipe"),
  ...around("engine", "its settings written", [/^PATCH \/indexes\/[^/]+\/settings/], "wipe"),
  ...around(
    "database",
    "searches moved to a rebuilt index",
    [/set state = 'retired'/, commit],
    "rebuild",
  ),
];
