import type { DueQueue } from "./heap.ts";
import type { Offer } from "./run.ts";

/** Offers wanted of one kind, and the most that are scored to find them. */
const WANTED = 6;
const SCORED = 48;

/**
 * The most overdue subjects of one kind, scored. What is not worth the price yet, because the price
 * has risen or a feed has looked after it, goes back into the queue and the next one is tried.
 */
export function dueOffers(
  queue: DueQueue,
  at: { now: number; price: number },
  subject: { score(key: number): Offer; reschedule(key: number): void },
): Offer[] {
  const offers: Offer[] = [];
  for (let scored = 0; scored < SCORED && offers.length < WANTED; scored += 1) {
    const key = queue.earliest(offers.length + 1)[offers.length];
    if (key === undefined || (offers.length > 0 && queue.at(key) > at.now)) break;
    const offer = subject.score(key);
    if (offer.bid < 0.9 * at.price && queue.at(key) <= at.now) {
      subject.reschedule(key);
      if (queue.at(key) > at.now) continue;
    }
    offers.push(offer);
  }
  return offers;
}
