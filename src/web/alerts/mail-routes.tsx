import { Hono } from "hono";
import { z } from "zod";
import { chooseMail, confirmMail, endMail } from "../../alerts/mail/address.ts";
import { ownerOfLink } from "../../alerts/owners.ts";
import type { ApiEnv, ApiContext } from "../../api/http/deps.ts";
import type { ParameterFault } from "../../api/http/problems/problem.ts";
import { refuseOtherSites } from "../../api/http/middleware/same-origin.ts";
import { transact } from "../../db/transact.ts";
import { openPage, sendPage, type PageDeps } from "../shared/page/page.ts";
import { MailStep, type Step } from "./mail-form.tsx";
import { readFields, toFaults } from "./read-form.ts";
import { noAlerts, secretHeaders, type Visitors } from "./visitors.ts";

/** `none`, which ends all mails, needs no address. */
const mailForm = z.object({
  choice: z.enum(["daily", "weekly"], "must be one of: daily, weekly, none"),
  email: z.email("must be an e-mail address").max(254, "must be an e-mail address"),
});

/** Digests: the choice of an address, its confirmation, and the end of all mails. */
export function mailRoutes(
  deps: PageDeps,
  visitors: Visitors,
  showFaults: (c: ApiContext, faults: ParameterFault[]) => Promise<Response>,
): Hono<ApiEnv> {
  const { writeDb, clock } = deps;
  const at = () => ({ now: clock.now(), timezone: deps.budget.timezone });
  const secretOf = (c: ApiContext) => c.req.param("secret") ?? "";
  const ownerToConfirm = async (c: ApiContext) =>
    (await ownerOfLink(writeDb, secretOf(c), "confirm", clock.now())) ?? noAlerts();
  const show = (c: ApiContext, step: Step) => {
    const page = openPage(c, deps);
    return sendPage(c, page, <MailStep page={page} step={step} />, { headers: secretHeaders });
  };
  return (
    new Hono<ApiEnv>()
      .post("/alerts/mail", async (c) => {
        refuseOtherSites(c);
        const ownerId = await visitors.require(c);
        const form = await readFields(c);
        if (form["choice"] === "none") await transact(writeDb, clock, (tx) => endMail(tx, ownerId));
        else {
          if (deps.sendsMails !== true) {
            return showFaults(c, [{ parameter: "form", message: "this site sends no mails" }]);
          }
          const read = mailForm.safeParse(form);
          if (!read.success) return showFaults(c, toFaults(read.error));
          visitors.count(c);
          const chosen = {
            ...read.data,
            ownerId,
            secret: visitors.secretOf(c),
            lang: openPage(c, deps).lang,
          };
          await transact(writeDb, clock, (tx) => chooseMail(tx, chosen, at()));
        }
        return c.redirect(`/alerts${visitors.keptBy(c)}#mail`, 303);
      })
      .get("/alerts/confirm/:secret{[A-Za-z0-9_-]{32}}", async (c) => {
        await ownerToConfirm(c);
        return show(c, "confirm");
      })
      .post("/alerts/confirm/:secret{[A-Za-z0-9_-]{32}}", async (c) => {
        const ownerId = await ownerToConfirm(c);
        await transact(writeDb, clock, (tx) => confirmMail(tx, ownerId, at()));
        return show(c, "confirmed");
      })
      .get("/alerts/unsubscribe/:secret{[A-Za-z0-9_-]{32}}", (c) => show(c, "end"))
      // RFC 8058: mail programs send it themselves. Says the same when there is nothing left to end.
      .post("/alerts/unsubscribe/:secret{[A-Za-z0-9_-]{32}}", async (c) => {
        const ownerId = await ownerOfLink(writeDb, secretOf(c), "unsubscribe", clock.now());
        if (ownerId !== null) await transact(writeDb, clock, (tx) => endMail(tx, ownerId));
        return show(c, "ended");
      })
  );
}
