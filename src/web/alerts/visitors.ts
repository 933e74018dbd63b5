import { getCookie, setCookie } from "hono/cookie";
import { ownerOfLink, findVisitor, visitorDays } from "../../alerts/owners.ts";
import type { ApiContext } from "../../api/http/deps.ts";
import { refuse } from "../../api/http/problems/problem.ts";
import { tooManyRequests, createThrottle } from "../../api/http/middleware/rate-limit.ts";
import type { Db, Tx } from "../../db/open.ts";
import { originOf, type PageDeps } from "../shared/page/page.ts";

const cookieName = "alerts";
/** Forms of one address: so many at once, and so many within an hour. */
const formLimits = { perMinute: 0.5, burst: 30 };

/** These pages may not be stored, and pages that they link to may not learn their address. */
export const secretHeaders = { "Cache-Control": "no-store", "Referrer-Policy": "same-origin" };

export type Visitors = ReturnType<typeof createVisitors>;

export function createVisitors({ writeDb, clock, clientAddress, market }: PageDeps) {
  const forms = createThrottle(clock, formLimits);
  /** That of the address, for browsers that keep no cookies; otherwise that of the cookie. */
  const secretOf = (c: ApiContext) => c.req.query("secret") ?? getCookie(c, cookieName) ?? "";
  /** Finds the owner by a visitor's secret, or by that of a link in a mail; null: nobody has this secret. */
  const find = async (db: Db | Tx, secret: string) =>
    (await findVisitor(db, secret)) ?? ownerOfLink(db, secret, "manage", clock.now());
  return {
    secretOf,
    /** The parameters of the addresses that follow: the secret, as long as only the address has it. */
    keptBy(c: ApiContext): string {
      const secret = secretOf(c);
      return secret === (getCookie(c, cookieName) ?? "") ? "" : withSecret(secret);
    },
    find,
    /** The owner that the request names; throws 404. */
    async require(c: ApiContext): Promise<number> {
      return (await find(writeDb, secretOf(c))) ?? noAlerts();
    },
    remember(c: ApiContext, secret: string): void {
      setCookie(c, cookieName, secret, {
        path: "/",
        httpOnly: true,
        sameSite: "Lax",
        secure: originOf(c, market).startsWith("https:"),
        maxAge: visitorDays * 86_400,
      });
    },
    /** Counts a form of this address; throws 429 beyond what is allowed. */
    count(c: ApiContext): void {
      const address = clientAddress(c);
      const waitMs = forms.waitMs(address);
      if (waitMs > 0) throw tooManyRequests("rate_limited", waitMs);
      forms.count(address);
    },
  };
}

export const withSecret = (secret: string) => `?secret=${encodeURIComponent(secret)}`;

export function noAlerts(): never {
  const detail = "there are no such alerts: the address is wrong, or they were deleted";
  refuse(404, "no_alerts", detail);
}

/** Of a mail that asks to confirm an address. */
export function linkIsOver(): never {
  refuse(404, "link_over", "this link works for three days, and not once its address was changed");
}
