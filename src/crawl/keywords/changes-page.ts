import { toModifiedAt } from "../../catalog/observing/modified.ts";
import type { Observed } from "../../catalog/sighting.ts";
import { toDays } from "../scoring/days.ts";
import type { Gap, ReadPage } from "../scoring/reading.ts";
import { changeValue } from "../scoring/scoring.ts";
import type { Answer } from "./keyword-call.ts";

export interface PageDescription {
  page: Omit<ReadPage, "expected">;
  /** When each of its items was modified, in days, where the upstream's moment is plausible. */
  changes: { at: number; isNews: boolean }[];
  /** Down to here the list has been shown; `-Infinity`: it ends with this page. */
  lowest: number;
  /** It shows what had been read before. */
  reachesKnown: boolean;
  /** Nothing is left to read below it: of the gap, or of the whole list. */
  isDone: boolean;
  /** The weights of its new products, together. */
  createdWeight: number;
  /** The upstream's newest plausible `modified`: one in the far future would hide every later change. */
  highestModified: number | null;
}

/**
 * What one page of the list of newest changes tells. `led`: how many products stand at its head for ever; `watermark`: the
 * newest `modified` that was read before.
 */
export function describePage(
  answer: Answer,
  asked: { gap: Gap | null; start: number; led: number; watermark: number | null },
): PageDescription {
  const { page, learned, exhausted } = answer;
  const { sentAt } = answer.sighting;
  const { gap, start, led } = asked;
  const at = toDays(sentAt);
  const plausible = page.items
    .map((item) => item.modified)
    .filter((modified) => toModifiedAt(modified, sentAt) !== null);
  const changes = learned.flatMap(({ observed }) => {
    const modifiedAt = toModifiedAt(observed.modified, sentAt);
    return modifiedAt === null ? [] : [{ at: toDays(modifiedAt), isNews: isNews(observed) }];
  });
  const news = learned.filter(({ observed }) => isNews(observed)).length;
  const created = learned.filter(({ observed }) => observed.fate === "created");
  const newest = Math.max(-Infinity, ...changes.map((one) => one.at));
  // What leads the list for ever tells nothing of what is below it.
  const isLed = led > 0 && led === start + page.items.length && !exhausted;
  const oldest = isLed ? at : Math.min(newest, ...changes.map((one) => one.at));
  const lowest = exhausted ? -Infinity : oldest;
  const reachesKnown = exhausted || (!isLed && reaches(answer, asked.watermark, news));
  const isDone = gap ? (!isLed && news === 0) || lowest < gap.from : reachesKnown;
  return {
    page: {
      start,
      at,
      newest,
      // Without plausible moments the page says nothing of what is below it.
      oldest: changes.length === 0 && !isDone ? at : lowest,
      items: page.items.length + page.broken.length,
      found: page.found,
      news,
      created: created.length,
    },
    changes,
    lowest,
    reachesKnown,
    isDone,
    createdWeight: created.reduce((sum, { item }) => sum + item.weight, 0),
    highestModified: plausible.length > 0 ? Math.max(...plausible) : null,
  };
}

/** The sum over the changed and new items of what finding them now was worth. */
export function valueOfChanges({ sighting, learned }: Answer, readUntil: number): number {
  const now = toDays(sighting.sentAt);
  let value = 0;
  for (const { observed, item } of learned) {
    if (observed.fate === "created") {
      const modifiedAt = toModifiedAt(observed.modified, sighting.sentAt);
      const cameUp = modifiedAt ? toDays(modifiedAt) : (readUntil + now) / 2;
      value += item.weight * Math.max(0, Math.min(now, cameUp) - readUntil);
    } else if (observed.before && observed.modified !== observed.before.modified) {
      const since = Math.max(readUntil, toDays(observed.before.checkedAt));
      value += changeValue(item, now - since);
    }
  }
  return value;
}

function isNews({ before, modified }: Observed): boolean {
  return before === null || before.modified !== modified;
}

/**
 * Everything below the watermark was seen before, but for gaps. At the watermark itself more may have come (a
 * whole day's changes can have one moment).
 */
function reaches(answer: Answer, watermark: number | null, news: number): boolean {
  const oldest = Math.min(Infinity, ...answer.page.items.map((item) => item.modified));
  if (watermark === null || news === 0) return news === 0;
  return oldest < watermark;
}
