import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { deleteCookie } from "hono/cookie";
import { z } from "zod";
import { readMailChoice, chooseMail, confirmMail, endMail } from "../../alerts/mail/address.ts";
import { readNewestEvents } from "../../alerts/events.ts";
import {
  changeSavedSearch,
  createSavedSearch,
  deleteSavedSearch,
  findEqual,
  listSavedSearches,
  readSavedSearch,
  renewFeeds,
  TooManySearches,
  type Chosen,
} from "../../alerts/saved-searches.ts";
import {
  createVisitor,
  deleteVisitor,
  findVisitor,
  mostOfVisitor,
  prolong,
  until,
  prolongLink,
  ownerOfLink,
} from "../../alerts/owners.ts";
import { createQueryCheck } from "../../api/alerts/saved-searches.ts";
import { toChosen, toFeeds } from "../../api/alerts/saved-search-schema.ts";
import type { ApiEnv, ApiContext } from "../../api/http/deps.ts";
import { choiceParam } from "../../api/http/parameters.ts";
import type { ParameterFault } from "../../api/http/problems/problem.ts";
import { refuseOtherSites } from "../../api/http/middleware/same-origin.ts";
import type { Anchor } from "../../alerts/judging/anchors.ts";
import type { Tx } from "../../db/open.ts";
import { transact } from "../../db/transact.ts";
import { openPage, sendPage, type PageDeps } from "../shared/page/page.ts";
import { AlertsPage, shownEvents, type AlertsPageProps } from "./alerts-page.tsx";
import { readFields, readForm, toFaults, type Form } from "./read-form.ts";
import {
  createVisitors,
  linkIsOver,
  noAlerts,
  secretHeaders,
  withSecret,
  type Visitors,
} from "./visitors.ts";
import { MailStep, type Step } from "./mail-form.tsx";

const maxBodyBytes = 16_384;
const change = z.object({ action: choiceParam(["pause", "go_on", "feeds", "delete"]) });

/**
 * Alerts of visitors without an account. The secret in a cookie, or in an address that leads to the same,
 * is all that they have; only its hash is stored.
 */
export function alertRoutes(deps: PageDeps): Hono<ApiEnv> {
  const { writeDb, replica, clock } = deps;
  const checkQuery = createQueryCheck(deps);
  const visitors = createVisitors(deps);
  const show = createAlertsPage(deps, visitors);
  const app = new Hono<ApiEnv>();
  app.use("/alerts/*", bodyLimit({ maxSize: maxBodyBytes }));

  const showFaults: ShowFaults = (c, faults, typed) => show(c, { status: 400, faults, typed });
  app.route("/", mailRoutes(deps, visitors, showFaults));
  // The secret leaves the address where the browser keeps it.
  app.get("/alerts", async (c) =>
    c.req.query("secret") !== undefined && visitors.keptBy(c) === ""
      ? c.redirect("/alerts", 303)
      : show(c),
  );

  app.post("/alerts", async (c) => {
    refuseOtherSites(c);
    visitors.count(c);
    const form = await readFields(c);
    const read = readForm(form);
    if (read.faults !== null) return showFaults(c, read.faults, form);
    const { anchors, faults } = await checkQuery(read.wanted.query);
    if (faults.length > 0) return showFaults(c, faults, form);
    const now = clock.now();
    const chosen: Chosen = {
      // Safe: a new one has every member.
      ...(toChosen(read.wanted) as Chosen),
      webhookId: null,
      expiresAt: until(now),
      isPaused: false,
    };
    const { lang } = openPage(c, deps);
    try {
      const kept = await transact(writeDb, clock, async (tx) => {
        const secret = visitors.secretOf(c);
        const ownerId = await visitors.find(tx, secret);
        const owner = ownerId === null ? await createVisitor(tx, lang, now) : { ownerId, secret };
        const id = await keep(tx, owner.ownerId, { chosen, anchors }, now);
        return { id, secret: owner.secret };
      });
      visitors.remember(c, kept.secret);
      const isNew = kept.secret !== visitors.secretOf(c);
      const parameters = isNew ? withSecret(kept.secret) : visitors.keptBy(c);
      return c.redirect(`/alerts${parameters}#s${kept.id}`, 303);
    } catch (error) {
      if (!(error instanceof TooManySearches)) throw error;
      const message = `there may be ${mostOfVisitor} of them: delete some`;
      return show(c, { status: 409, faults: [{ parameter: "form", message }], typed: form });
    }
  });

  // Who opens the address of a form, as browsers do that are started again, gets the page that has it.
  for (const form of ["mail", "delete", ":id{[0-9]{1,15}}"]) {
    app.get(`/alerts/${form}`, (c) => c.redirect(`/alerts${visitors.keptBy(c)}`, 303));
  }

  app.post("/alerts/delete", async (c) => {
    refuseOtherSites(c);
    const ownerId = await visitors.find(writeDb, visitors.secretOf(c));
    if (ownerId !== null) await transact(writeDb, clock, (tx) => deleteVisitor(tx, ownerId));
    deleteCookie(c, "alerts", { path: "/" });
    return c.redirect("/alerts", 303);
  });

  app.post("/alerts/:id{[0-9]{1,15}}", async (c) => {
    refuseOtherSites(c);
    const ownerId = await visitors.require(c);
    const id = Number(c.req.param("id"));
    const form = await readFields(c);
    const read = change.safeParse(form);
    if (!read.success) return showFaults(c, toFaults(read.error), form);
    const { action } = read.data;
    const stored = await readSavedSearch(writeDb, { ownerId }, id);
    if (stored === null) {
      if (action === "delete") return c.redirect(`/alerts${visitors.keptBy(c)}`, 303);
      const message = "was deleted meanwhile";
      return show(c, { status: 404, faults: [{ parameter: "form", message }] });
    }
    if (action === "feeds") {
      const secret = await transact(writeDb, clock, (tx) => renewFeeds(tx, id));
      await replica?.catchUp();
      return show(c, { feeds: { savedSearchId: id, ...toFeeds(secret) } });
    }
    await transact(writeDb, clock, async (tx) => {
      if (action === "delete") return deleteSavedSearch(tx, id);
      const chosen = { isPaused: action === "pause" };
      await changeSavedSearch(tx, { stored, chosen, anchors: null }, clock.now());
    });
    const place = action === "delete" ? "" : `#s${id}`;
    return c.redirect(`/alerts${visitors.keptBy(c)}${place}`, 303);
  });

  // The way back from any browser.
  app.get("/alerts/:secret{[A-Za-z0-9_-]{32}}", async (c) => {
    const secret = c.req.param("secret");
    const ownerId = (await visitors.find(writeDb, secret)) ?? noAlerts();
    const own = visitors.secretOf(c);
    // The secret of a link in a mail may end before that of the browser.
    const lasting = (await findVisitor(writeDb, own)) === ownerId ? own : secret;
    visitors.remember(c, lasting);
    for (const [name, value] of Object.entries(secretHeaders)) c.header(name, value);
    return c.redirect(`/alerts${withSecret(lasting)}`, 303);
  });
  // Mail programs cut long addresses off.
  app.get("/alerts/:rest{.+}", () => noAlerts());
  return app;
}

/** Returns what answers with the page of a visitor's alerts, or of a form's faults. */
function createAlertsPage(deps: PageDeps, visitors: Visitors) {
  const { writeDb, clock } = deps;
  return async (
    c: ApiContext,
    more: Partial<AlertsPageProps> & { status?: 400 | 404 | 409 } = {},
  ): Promise<Response> => {
    const { status = 200, ...props } = more;
    const kept = visitors.keptBy(c);
    // The address may be that of a form, which has no page.
    const page = { ...openPage(c, deps), url: new URL(`/alerts${kept}`, c.req.url) };
    const secret = visitors.secretOf(c);
    const ownerId = await visitors.find(writeDb, secret);
    if (ownerId !== null) visitors.remember(c, secret);
    const own = ownerId === null ? null : { kept, ...(await readOwn(ownerId, secret)) };
    const content = <AlertsPage page={page} own={own} {...props} />;
    return sendPage(c, page, content, { status, headers: secretHeaders });
  };

  async function readOwn(ownerId: number, secret: string) {
    await prolong(writeDb, ownerId, clock.now());
    await prolongLink(writeDb, secret, clock.now());
    const [searches, events, mail] = await Promise.all([
      listSavedSearches(writeDb, { ownerId }, { after: 0, limit: mostOfVisitor }),
      readNewestEvents(writeDb, ownerId, shownEvents),
      deps.sendsMails === true ? readMailChoice(writeDb, ownerId) : null,
    ]);
    return { address: `/alerts/${secret}`, searches, events, mail };
  }
}

/**
 * Stores a saved search and returns its id. Browsers without scripts send a form as often as its button is
 * pressed: one that is stored already only goes on.
 */
async function keep(
  tx: Tx,
  ownerId: number,
  { chosen, anchors }: { chosen: Chosen; anchors: readonly Anchor[] },
  now: Date,
): Promise<number> {
  const same = await findEqual(tx, ownerId, chosen);
  if (same?.isPaused)
    await changeSavedSearch(tx, { stored: same, chosen: { isPaused: false }, anchors: null }, now);
  if (same) return same.savedSearchId;
  const request = { ownerId, chosen, anchors, most: mostOfVisitor };
  const { stored } = await createSavedSearch(tx, request, now);
  return stored.savedSearchId;
}

type ShowFaults = (c: ApiContext, faults: ParameterFault[], typed: Form) => Promise<Response>;

/** `none`, which ends all mails, needs no address. */
const mailForm = z.object({
  choice: z.enum(["daily", "weekly"], "must be one of: daily, weekly, none"),
  email: z.email("must be an e-mail address").max(254, "must be an e-mail address"),
});

/** Digests: the choice of an address, its confirmation, and the end of all mails. */
function mailRoutes(deps: PageDeps, visitors: Visitors, showFaults: ShowFaults): Hono<ApiEnv> {
  const { writeDb, clock } = deps;
  const at = () => ({ now: clock.now(), timezone: deps.budget.timezone });
  const secretOf = (c: ApiContext) => c.req.param("secret") ?? "";
  const ownerToConfirm = async (c: ApiContext) =>
    (await ownerOfLink(writeDb, secretOf(c), "confirm", clock.now())) ?? linkIsOver();
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
            const message = "this site sends no mails";
            return showFaults(c, [{ parameter: "form", message }], form);
          }
          const read = mailForm.safeParse(form);
          if (!read.success) return showFaults(c, toFaults(read.error), form);
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
        const isDone = await transact(writeDb, clock, (tx) => confirmMail(tx, ownerId, at()));
        return isDone ? show(c, "confirmed") : linkIsOver();
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
