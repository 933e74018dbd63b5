/** An endpoint with a message that is due. */
export interface DueEndpoint {
  webhookId: number;
  /** Its last attempt failed. */
  isFailing: boolean;
}

export interface Flights {
  byEndpoint: ReadonlyMap<number, number>;
  /** Attempts under way, in all and to endpoints that were failing. */
  all: number;
  failing: number;
}

export interface Bounds {
  all: number;
  failing: number;
  perEndpoint: number;
}

export interface Choice {
  webhookId: number;
  n: number;
}

/**
 * How many messages to send to which endpoints now. Those that waited longest for their turn come first
 * (`servedAt`: rises with each turn), and each gets one before any gets more. A failing endpoint gets one
 * at a time, and all failing ones together never more than their share, so that the others go on.
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
  let freeForFailing = bounds.failing - flights.failing;
  for (let round = 1; round <= bounds.perEndpoint && free > 0; round += 1) {
    for (const { webhookId, isFailing } of inTurn) {
      const flying = (flights.byEndpoint.get(webhookId) ?? 0) + (chosen.get(webhookId) ?? 0);
      const most = isFailing ? 1 : bounds.perEndpoint;
      if (free === 0 || flying >= most || (isFailing && freeForFailing <= 0)) continue;
      chosen.set(webhookId, (chosen.get(webhookId) ?? 0) + 1);
      free -= 1;
      if (isFailing) freeForFailing -= 1;
    }
  }
  return [...chosen].map(([webhookId, n]) => ({ webhookId, n }));
}
