import type {
  alertChange,
  AlertKind,
  AlertRule,
  ItemState,
  LowWindow,
  ProductFacts,
  RuleState,
  savedSearch,
  UnconfirmedJump,
} from "../../db/schema.ts";
import type { Judged, Matcher } from "./matches.ts";

/** What judging needs of a saved search. */
export interface Saved extends Pick<
  typeof savedSearch.$inferSelect,
  "rules" | "minChangePercent" | "cooldownS" | "confirmFactor"
> {
  matches: Matcher;
}

export interface JudgedChange extends Pick<
  typeof alertChange.$inferSelect,
  "position" | "ver" | "at" | "kind"
> {
  /** null: new. */
  before: Judged | null;
  /** null: deleted. */
  after: Judged | null;
}

export interface PairState {
  rules: ItemState;
  jump: UnconfirmedJump | null;
}

export interface News {
  kind: AlertKind;
  data: Record<string, unknown>;
}

export interface KnownLow {
  price: number;
  /** ISO 8601. */
  at: string;
}

/** `slip`: so long is a price alone that stands between two others and is far from both. */
export type LowBeforeWindow = LowWindow | "slip";

/** The lowest known price in the window that ended when the present price was first seen; null: none is known. */
export type LowBefore = (window: LowBeforeWindow) => KnownLow | null;

export interface Verdict {
  news: News[];
  /** null: nothing is to be remembered. */
  state: PairState | null;
}

/** Beyond a limit by this share, a price is clearly beyond it: a price that swings around a limit is told once. */
export const slack = 0.02;

/** Whether it is at least so many percent; 33 of 3000 are 1.1, though 1.1 * 3000 is more than 3300 in floating point. */
const isPercent = (part: number, percent: number, whole: number) =>
  part * 100 >= percent * whole * (1 - 1e-12);

/** Whether the price became more than `factor` times as high or low. */
export function isJump(from: number, to: number, factor: number): boolean {
  return from > 0 && to > 0 && Math.max(from, to) > factor * Math.min(from, to);
}

/**
 * What a change of a product is to a saved search; pure. `before` of a price that waited for its
 * confirmation is what the product was before it jumped.
 */
export function judge(
  saved: Saved,
  change: JudgedChange,
  past: PairState | null,
  lowBefore: LowBefore,
): Verdict {
  const { after } = change;
  const before = beforeOf(change, past);
  // Nothing was told of a return whose price is not confirmed.
  const kind = past?.jump?.isReturn ? "returned" : change.kind;
  const compared = { ...change, before, kind };
  if (after && before && isJump(before.facts.price, after.facts.price, saved.confirmFactor)) {
    const jumpedTo = past?.jump?.after.price;
    const isSeenAgain =
      jumpedTo !== undefined && !isJump(jumpedTo, after.facts.price, saved.confirmFactor);
    if (!isSeenAgain) {
      const concerns = past !== null || saved.matches(before) || saved.matches(after);
      if (!concerns) return { news: [], state: null };
      return {
        news: [],
        state: { rules: past?.rules ?? {}, jump: toJump(compared, before, after) },
      };
    }
  }
  const settled = { ...compared, before: beforeSlip(saved, compared, lowBefore) };
  return judgeSettled(saved, settled, past?.rules ?? {}, lowBefore);
}

/** The end of a price that was far too high for a day or two is no fall: what counts is the price before it. */
function beforeSlip(
  { confirmFactor }: Saved,
  { before, after }: JudgedChange,
  lowBefore: LowBefore,
): Judged | null {
  const price = after?.facts.price ?? 0;
  if (!before || before.facts.price <= price || !isJump(before.facts.price, price, confirmFactor))
    return before;
  const low = lowBefore("slip");
  if (low === null || isJump(low.price, price, confirmFactor)) return before;
  return { ...before, facts: { ...before.facts, price: Math.max(low.price, price) } };
}

/** What the change is compared with. */
function beforeOf({ before }: JudgedChange, past: PairState | null): Judged | null {
  if (!past?.jump || !before) return before;
  return { ...before, facts: { ...before.facts, ...pricesOf(past.jump.before) } };
}

const pricesOf = ({ price, proper_price, stock }: ProductFacts) => ({ price, proper_price, stock });

function toJump(
  { position, ver, kind }: JudgedChange,
  before: Judged,
  after: Judged,
): UnconfirmedJump {
  const isReturn = kind === "returned" ? { isReturn: true } : {};
  return { position, ver, before: before.facts, after: after.facts, ...isReturn };
}

interface Compared {
  change: JudgedChange;
  saved: Saved;
  /** A deleted product is in no search. */
  wasIn: boolean;
  isIn: boolean;
  lowBefore: LowBefore;
}

function judgeSettled(
  saved: Saved,
  change: JudgedChange,
  states: ItemState,
  lowBefore: LowBefore,
): Verdict {
  const { before, after, kind } = change;
  const compared: Compared = {
    change,
    saved,
    wasIn: before !== null && kind !== "returned" && saved.matches(before),
    isIn: after !== null && saved.matches(after),
    lowBefore,
  };
  if (!compared.wasIn && !compared.isIn && Object.keys(states).length === 0) {
    return { news: [], state: null };
  }
  const news: News[] = [];
  const kept: ItemState = {};
  for (const rule of saved.rules) {
    const past = states[rule.kind] ?? {};
    const { data, next } = judgeRule(rule, compared, past);
    const quietMs = past.at === undefined ? Infinity : change.at.getTime() - Date.parse(past.at);
    // Also before: the clock was ahead then, and has been set.
    const isCooling = Math.abs(quietMs) < saved.cooldownS * 1000;
    const isTold = data !== null && !isCooling;
    if (isTold) news.push({ kind: rule.kind, data: { ...whatChanged(before, after), ...data } });
    const at = isTold ? change.at.toISOString() : isCooling ? past.at : undefined;
    const state = {
      ...(isTold ? next : withoutPrice(next, data, past)),
      ...(at === undefined ? {} : { at }),
    };
    if (Object.keys(state).length > 0) kept[rule.kind] = state;
  }
  const isEmpty = Object.keys(kept).length === 0;
  return { news, state: isEmpty ? null : { rules: kept, jump: null } };
}

/** News that is not told leaves the price that was told last. */
function withoutPrice(next: RuleState, data: object | null, past: RuleState): RuleState {
  if (data === null || next.price === undefined) return next;
  return past.price === undefined ? {} : { ...next, price: past.price };
}

function whatChanged(before: Judged | null, after: Judged | null): Record<string, unknown> {
  const shown = (after ?? before)?.facts;
  return {
    title: shown?.title,
    shop_id: shown?.shop_id,
    price: after?.facts.price ?? null,
    prev_price: before?.facts.price ?? null,
    stock: after?.facts.stock ?? null,
    prev_stock: before?.facts.stock ?? null,
  };
}

interface RuleVerdict {
  /** What is special of this kind of news; null: no news. */
  data: Record<string, unknown> | null;
  next: RuleState;
}

const nothing: RuleVerdict = { data: null, next: {} };

function judgeRule(rule: AlertRule, compared: Compared, past: RuleState): RuleVerdict {
  const { change, saved, wasIn, isIn } = compared;
  const { before, after } = change;
  switch (rule.kind) {
    case "new_match":
      return edge({
        was: wasIn,
        is: isIn,
        isNear: after !== null && saved.matches(after, slack),
        past,
        data: {},
      });
    case "price_below": {
      const isBelow = (one: Judged | null) =>
        one !== null && one.facts.price > 0 && one.facts.price <= rule.price;
      return edge({
        was: wasIn && isBelow(before),
        is: isIn && isBelow(after),
        isNear: after === null || after.facts.price <= rule.price * (1 + slack),
        past,
        data: { target: rule.price },
      });
    }
    case "price_drop":
      return move(compared, -1, Math.max(rule.percent, saved.minChangePercent));
    case "price_rise":
      return move(compared, 1, Math.max(rule.percent ?? 0, saved.minChangePercent));
    case "new_low":
      return newLow(rule.window, compared, past);
    case "back_in_stock": {
      const wasOut = before !== null && (before.facts.stock <= 0 || change.kind === "returned");
      return isIn && wasOut && after !== null && after.facts.stock > 0
        ? { data: {}, next: {} }
        : nothing;
    }
    case "gone":
      return wasIn && after === null ? { data: {}, next: {} } : nothing;
  }
}

/**
 * A state that begins. Once it has begun it is held until it has clearly ended; while it lasts, the next
 * change tells that by itself, and nothing needs to be remembered.
 */
function edge(of: {
  was: boolean;
  is: boolean;
  isNear: boolean;
  past: RuleState;
  data: Record<string, unknown>;
}): RuleVerdict {
  const wasHeld = of.past.isHeld ?? of.was;
  const staysHeld = !of.is && wasHeld && of.isNear;
  return { data: of.is && !wasHeld ? of.data : null, next: staysHeld ? { isHeld: true } : {} };
}

function move({ change, isIn }: Compared, direction: 1 | -1, percent: number): RuleVerdict {
  const from = change.before?.facts.price ?? 0;
  const to = change.after?.facts.price ?? 0;
  if (!isIn || from <= 0 || to <= 0) return nothing;
  const moved = (to - from) * direction;
  if (moved <= 0 || !isPercent(moved, percent, from)) return nothing;
  return { data: { percent: Math.round((moved * 1000) / from) / 10 }, next: {} };
}

function newLow(
  window: LowWindow,
  { change, saved, isIn, lowBefore }: Compared,
  past: RuleState,
): RuleVerdict {
  const kept: RuleVerdict = {
    data: null,
    next: past.price === undefined ? {} : { price: past.price },
  };
  const from = change.before?.facts.price ?? 0;
  const price = change.after?.facts.price ?? 0;
  if (!isIn || price <= 0 || (from > 0 && price >= from)) return kept;
  const low = lowBefore(window);
  if (low === null || price >= low.price) return kept;
  // Behind a time without a price nothing else tells a slip.
  if (from <= 0 && isJump(low.price, price, saved.confirmFactor)) return kept;
  // Many small steps down are told when they add up to the minimum change.
  const reference = Math.max(past.price ?? 0, low.price);
  if (!isPercent(reference - price, saved.minChangePercent, reference)) {
    return { data: null, next: { price: reference } };
  }
  return { data: { window, low: low.price, low_at: low.at }, next: { price } };
}
