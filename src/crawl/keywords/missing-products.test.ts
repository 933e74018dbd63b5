import { describe, expect, it } from "vitest";
import type { Absences } from "../../db/schema.ts";
import type { ItemStats } from "../scoring/scoring.ts";
import { evenWeek } from "../scoring/week-pattern.ts";
import { fromDays } from "../scoring/days.ts";
import { newReading, type Reading } from "../scoring/reading.ts";
import type { Answer } from "./keyword-call.ts";
import { countAbsences, type ListedPage } from "./changes-page.ts";

const NOW = 20_000;
const OWN = 1;
const OTHER = 2;

const before: Absences = {
  found: 100,
  deleted: 0,
  born: 0,
  missing: 0,
  productDays: 100,
  share: 1,
  trust: 1,
  at: NOW - 1,
  since: NOW - 1,
};

interface Shown {
  queryId?: number;
  appearedAt?: number;
  modifiedAt?: number;
}

/** What of an answer is read. */
function answer(found: number, shown: readonly Shown[], absences = before): Answer {
  const learned = shown.map(({ queryId = OWN, appearedAt = NOW - 50, modifiedAt = NOW - 0.5 }) => ({
    queryId,
    appearedAt,
    observed: { modified: Math.floor(modifiedAt * 86_400) },
  }));
  const scans = { absences, shown: { all: 100, own: 100 * absences.share } };
  const sighting = { callId: 1, sentAt: fromDays(NOW) };
  return {
    queryId: OWN,
    deleted: 0,
    page: { found },
    learned,
    scans,
    sighting,
  } as unknown as Answer;
}

const read: ListedPage = {
  reading: newReading(NOW),
  pattern: evenWeek,
  from: NOW - 1,
  to: NOW,
  lowest: NOW - 2,
  sample: [{ checkedAt: NOW - 1 } as ItemStats],
};
const missing = (of: Answer, page: ListedPage = read) => countAbsences(of, page).absences?.missing;
const born = { appearedAt: NOW - 0.5 };
const bornOf = (count: number, queryId = OWN) =>
  Array.from({ length: count }, () => ({ ...born, queryId }));

describe("the products of a keyword that nobody finds any more", () => {
  it("are as many as it finds less, with the new ones that its page shows, whoever showed them first", () => {
    expect(missing(answer(97, [{}]))).toBeCloseTo(3, 5);
    expect(missing(answer(100, [...bornOf(1), ...bornOf(2, OTHER)]))).toBeCloseTo(3, 5);
    expect(missing(answer(103, bornOf(3)))).toBeCloseTo(0, 5);
  });

  it("are not those that were there at the last count and are shown for the first time", () => {
    expect(missing(answer(98, [{ appearedAt: NOW - 1.5 }, {}]))).toBeCloseTo(2, 5);
  });

  it("are its own in proportion, if others show the most of what it finds", () => {
    const shared = { ...before, share: 0.1 };
    expect(missing(answer(80, [{}], shared))).toBeCloseTo(2, 5);
  });

  it("are not known where others may have shown new ones below the page", () => {
    const high = { ...read, lowest: NOW - 0.1 };
    const { absences } = countAbsences(answer(90, bornOf(2, OTHER)), high);
    expect(absences).toEqual({ ...before, born: 2 });
    expect(missing(answer(90, bornOf(2)), high)).toBeCloseTo(12, 5);
  });

  it("are counted with as many new ones as the unread part of the list may have, rather too few", () => {
    const gap = { from: NOW - 1, to: NOW - 0.5, next: null };
    const reading: Reading = { ...newReading(NOW), gaps: [gap] };
    const half = missing(answer(100, bornOf(40)), { ...read, reading }) ?? 0;
    expect(half).toBeGreaterThan(60);
    expect(half).toBeLessThan(80);
    const most = { ...newReading(NOW), gaps: [{ ...gap, to: NOW - 0.1 }] };
    expect(countAbsences(answer(90, []), { ...read, reading: most }).absences).toEqual(before);
  });

  it("begin to be counted once products of it were drawn", () => {
    expect(missing(answer(90, []), { ...read, sample: [] })).toBe(0);
  });
});
