/** An endpoint with a message that is due. */
export interface DueEndpoint {
  webhookId: number;
  /** Its last attempt failed. */
  isFailing: boolean;
  /** Its last answer took long, or one that is under way does. */
  isSlow: boolean;
}

export interface Flights {
  byEndpoint: ReadonlyMap<number, number>;
  /** Attempts under way, in all and to endpoints that were failing or are slow. */
  all: number;
  held: number;
}

export interface Bounds {
  all: number;
  /** Of endpoints that fail or are slow, together. */
  held: number;
  perEndpoint: number;
  /** So many places are for endpoints with none under way. */
  spare: number;
}

export interface Choice {
  webhookId: number;
  n: number;
}

/**
 * How many messages to send to which endpoints now. Those that waited longest for their turn come first
 * (`servedAt`: rises with each turn), and each gets one before any gets more. A failing endpoint gets one
 * at a time, and all failing and slow ones together never more than their share, so that the others go on.
 */
export function chooseEndpoints(
  due: readonly DueEndpoint[],
  flights: Flights,
  bounds: Bounds,
  servedAt: ReadonlyMap<number, number>,
): Choice[] {
  const turn = ({ webhookId }: DueEndpoint) => servedAt.get(webhookId) ?? 0;
  const inTurn = due.toSorted((a, b) => turn(a) - turn(b));
  const chosen = new Map<number, number>();
  let free = bounds.all - flights.all;
  let freeForHeld = bounds.held - flights.held;
  for (let round = 1; round <= bounds.perEndpoint && free > 0; round += 1) {
    for (const { webhookId, isFailing, isSlow } of inTurn) {
      const flying = (flights.byEndpoint.get(webhookId) ?? 0) + (chosen.get(webhookId) ?? 0);
      const most = isFailing ? 1 : bounds.perEndpoint;
      const isHeld = isFailing || isSlow;
      const kept = flying > 0 ? bounds.spare : 0;
      if (free <= kept || flying >= most || (isHeld && freeForHeld <= 0)) continue;
      chosen.set(webhookId, (chosen.get(webhookId) ?? 0) + 1);
      free -= 1;
      if (isHeld) freeForHeld -= 1;
    }
  }
  return [...chosen].map(([webhookId, n]) => ({ webhookId, n }));
}
