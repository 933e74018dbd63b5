/** What happens upstream: all items that ever live, and all changes in time order. */
export interface World {
  name: string;
  /** Days since the epoch. */
  startsAt: number;
  endsAt: number;
  /** Figures count from here on; before it every policy reaches its steady state. */
  measuredFrom: number;
  /** IANA zone of the upstream's calendar, and when its day begins, as a fraction of a day in UTC. */
  timezone: string;
  dayStart: number;
  /** Items are numbered in the order of their ids. */
  shopOf: Int32Array;
  weight: Float64Array;
  /** The keywords that find it, that one first whose full scan shows it first. */
  keywordsOf: readonly (readonly number[])[];
  /** Changes a day; NaN if only the trace is known. */
  trueRate: Float64Array;
  /** Changes a day of an item while it has this content. */
  rateIn(item: number, content: number): number;
  states: ReturnType<typeof createStates>;
  /** Empty: none. */
  categoryOf(item: number): string;
  trueBumpShare: number;
  /** Deletions a day of a product, by shop. */
  trueLossRate: Float64Array;
  shops: number;
  keywords: number;
  /** Whether `order_count` orders anything. */
  ordered: boolean;
  liveAtStart: Uint8Array;
  modifiedAtStart: Float64Array;
  contentAtStart: Int32Array;
  events: Events;
}

export const edit = 0;
export const silentEdit = 1;
export const addition = 2;
export const deletion = 3;

export interface Events {
  at: Float64Array;
  item: Int32Array;
  kind: Uint8Array;
  /** The content from then on, as a number that is equal where content is equal. */
  content: Int32Array;
}

export interface Happening {
  at: number;
  item: number;
  kind: number;
  content: number;
}

/** Changes of one moment are listed in the order of the ids, as the upstream lists them where that is asked for. */
export function toEvents(happenings: Happening[]): Events {
  happenings.sort((a, b) => a.at - b.at || a.item - b.item);
  return {
    at: Float64Array.from(happenings, (h) => h.at),
    item: Int32Array.from(happenings, (h) => h.item),
    kind: Uint8Array.from(happenings, (h) => h.kind),
    content: Int32Array.from(happenings, (h) => h.content),
  };
}

/** The part of a product that changes. */
export interface State {
  price: number;
  stock: number;
}

/** Numbers for states: contents are equal if their numbers are. */
export function createStates() {
  const states: State[] = [];
  const numbers = new Map<string, number>();
  return {
    toContent({ price, stock }: State): number {
      const key = `${price} ${stock}`;
      let number = numbers.get(key);
      if (number === undefined) {
        number = states.push({ price, stock }) - 1;
        numbers.set(key, number);
      }
      return number;
    },
    of(content: number): State {
      const state = states[content];
      if (!state) throw new Error(`there is no state with the number ${content}`);
      return state;
    },
  };
}
