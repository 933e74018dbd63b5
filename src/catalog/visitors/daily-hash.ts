import { createHmac, randomBytes } from "node:crypto";
import type { Clock } from "../../lib/clock.ts";

/**
 * Hashes texts that tell visitors apart. The salt is random, never leaves the memory of this process and
 * changes each day (UTC), so nobody can find out whose the hashes are. `forget` is called with a new
 * salt, before the first hash of the day.
 */
export function createDailyHash(clock: Clock, forget: () => void): (text: string) => string {
  let day = "";
  let salt = randomBytes(32);
  return (text) => {
    const today = clock.now().toISOString().slice(0, 10);
    if (today !== day) {
      day = today;
      salt = randomBytes(32);
      forget();
    }
    return createHmac("sha256", salt).update(text).digest("base64url").slice(0, 12);
  };
}
