import { readLines } from "../lib/files.ts";
import { toSandboxItem, type SandboxItem } from "./catalogue/item.ts";
import { toChange, type Change } from "./catalogue/replay.ts";
import { toScenarioEvent, type ScenarioEvent } from "./scenario/events.ts";

/** A catalogue, changes or scenario file that cannot be read. Names the file, and the line if it could be read. */
class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";

  constructor(file: string, place: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const isUnread = cause instanceof Error && "syscall" in cause;
    super(`${file}${isUnread ? "" : `, ${place}`}: ${reason}`, { cause });
  }
}

/** Reads products, one JSON object per line in the format of section 2.1; gzip if the name ends so. */
export function loadCatalog(file: string): Promise<SandboxItem[]> {
  return loadLines(file, toSandboxItem);
}

/** Reads changes, one JSON object per line, in any order. */
export async function loadChanges(file: string): Promise<Change[]> {
  const changes = await loadLines(file, toChange);
  return changes.sort((a, b) => a.t - b.t);
}

/** Reads owners' actions, one JSON object per line or one JSON array, in any order. */
export async function loadScenario(file: string): Promise<ScenarioEvent[]> {
  const rows = (await isArray(file))
    ? await loadArray(file)
    : await loadLines(file, toScenarioEvent);
  return rows.sort((a, b) => a.atSeconds - b.atSeconds);
}

async function isArray(file: string): Promise<boolean> {
  try {
    for await (const text of readLines(file)) {
      if (text.trim() !== "") return text.trimStart().startsWith("[");
    }
  } catch (error) {
    throw new UnreadableFile(file, "line 1", error);
  }
  return false;
}

async function loadArray(file: string): Promise<ScenarioEvent[]> {
  let place = "the array";
  try {
    const lines: string[] = [];
    for await (const text of readLines(file)) lines.push(text);
    const rows: unknown = JSON.parse(lines.join("\n"));
    return (Array.isArray(rows) ? rows : []).map((row, i) => {
      place = `event ${i + 1}`;
      return toScenarioEvent(row);
    });
  } catch (error) {
    throw new UnreadableFile(file, place, error);
  }
}

async function loadLines<T>(file: string, toRow: (value: unknown) => T): Promise<T[]> {
  const rows: T[] = [];
  let line = 1;
  try {
    for await (const text of readLines(file)) {
      if (text.trim() !== "") rows.push(toRow(JSON.parse(text)));
      line += 1;
    }
  } catch (error) {
    throw new UnreadableFile(file, `line ${line}`, error);
  }
  return rows;
}
