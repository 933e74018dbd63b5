import { z } from "zod";
import type { ApiContext } from "../../api/http/deps.ts";
import { booleanParam } from "../../api/http/parameters.ts";
import { refuse } from "../../api/http/problems/problem.ts";
import { readOrRefuse } from "../../api/http/route.ts";
import type { OpsActions } from "../../api/ops/actions/actions.ts";
import type { Actor } from "../../api/ops/actions/audit-log.ts";
import { heldScope } from "../../api/ops/deletions.ts";
import { idsBody } from "../../api/ops/context.ts";
import { newKey, toNewKey } from "../../api/ops/keys.ts";
import { newDecision } from "../../api/ops/matches.ts";
import { newQuery, newQueries, queriesChange } from "../../api/ops/crawl/queries.ts";
import { replaySchema, toReplayScope } from "../../api/ops/alerts.ts";
import type { HeldScope } from "../../catalog/observing/held-deletions.ts";
import { createKeyText } from "../../keys/stored-keys.ts";
import type { FormAction } from "./access/form-handler.ts";
import type { Tab } from "./shared/frame.tsx";
import { originsIn } from "./keys-view.tsx";
import { keywordLines } from "./keywords/keyword-lines.ts";
import { jobFormActions } from "./schedule/job-form.ts";
import type { OpsMessages } from "./messages/messages.ts";
import { byConsole, type ConsoleDeps, type Values } from "./shared/ops-page.ts";
import { typedNumber } from "./shared/typed-number.ts";

const anId = ":id{[0-9]{1,15}}";
const keywordState = z.object({ enabled: booleanParam() });

/** The console uses the functions of the ops API for all actions. */
export function createFormActions(deps: ConsoleDeps): FormAction[] {
  const { actions } = deps;
  const ofAnyPage = formsOf(null);
  const keywords = formsOf("keywords");
  const backoffs = formsOf("backoffs");
  const keys = formsOf("keys");
  const matches = formsOf("matches");
  const webhooks = formsOf("webhooks");
  const mirror = formsOf("mirror");
  return [
    ofAnyPage("pause", "paused", (c) => actions.setPaused(byConsole(c), true)),
    ofAnyPage("resume", "resumed", (c) => actions.setPaused(byConsole(c), false)),
    ...jobFormActions(deps),
    keywords("keywords", "keyword_added", (c, form) => {
      const request = readOrRefuse(newQuery, { q: form.q, shop_id: form.shop_id?.trim() || null });
      return actions.addKeyword(byConsole(c), { q: request.q, shopId: request.shop_id ?? null });
    }),
    keywords("keywords/add", "keywords_added", (c, form) => {
      const texts = keywordLines(form.texts).map(({ q }) => q);
      const request = readOrRefuse(newQueries, { texts, shop_id: form.shop_id?.trim() || null });
      const { shop_id: shopId = null } = request;
      return actions.addKeywords(byConsole(c), { texts: request.texts, shopId });
    }),
    keywords("keywords/change", "keywords_changed", async (c, { change }) => {
      const ids = await readNumbers(c, "id");
      return actions.changeKeywords(byConsole(c), readOrRefuse(queriesChange, { ids, change }));
    }),
    {
      ...keywords(`keywords/${anId}`, "keyword_paused", (c, form) => {
        const { enabled } = readOrRefuse(keywordState, { enabled: form.enabled });
        return actions.changeKeyword(byConsole(c), idOf(c), { enabled });
      }),
      done: (form) => (form.enabled === "true" ? "keyword_resumed" : "keyword_paused"),
    },
    keywords(`keywords/${anId}/remove`, "keyword_removed", withId(actions.removeKeyword)),
    backoffs(`backoffs/${anId}/retry`, "backoff_retried", withId(actions.retryBackoff)),
    backoffs("backoffs/retry", "backoff_retried", withIds(actions.retryBackoffs)),
    {
      ...keys("keys", "key_revoked", async () => {}),
      work: async (c, form, session) => {
        const request = toNewKey(readOrRefuse(newKey, readKeyForm(form)));
        // Who sends the form again, perhaps because the first answer got lost, sees the same key.
        const sent = JSON.stringify([form.form_id, request]);
        const secret = createKeyText(deps.sessions.secretOf(session, sent));
        const { stored, text } = await actions.createKey(byConsole(c), request, secret);
        return { kind: "key", name: stored.name, text };
      },
    },
    keys(`keys/${anId}/revoke`, "key_revoked", withId(actions.revokeKey)),
    matches("matches/decide", "match_decided", (c, { a, b, decision }) => {
      const request = readOrRefuse(newDecision, { a: Number(a), b: Number(b), decision });
      // The queue shows only pairs that nobody has decided about.
      return actions.decideMatch(byConsole(c), { ...request, replaces: null });
    }),
    matches(`matches/decisions/${anId}/undo`, "match_undone", withId(actions.undoMatchDecision)),
    webhooks("webhooks/replay", "messages_replayed", (c, form) =>
      actions.replayDeliveries(byConsole(c), toReplayScope(readReplay(form, deps.clock.now()))),
    ),
    webhooks(
      "webhooks/deliveries/replay",
      "messages_replayed",
      withIds((by, ids) => actions.replayDeliveries(by, { ids })),
    ),
    webhooks(
      `webhooks/deliveries/${anId}/replay`,
      "messages_replayed",
      withId((by, id) => actions.replayDeliveries(by, { ids: [id] })),
    ),
    mirror("mirror/verify", "proof_started", (c) => actions.runJob(byConsole(c), "verify-mirror")),
    mirror("mirror/rebuild", "rebuild_started", (c) => actions.startRebuild(byConsole(c))),
    mirror("mirror/resend", "documents_resent", withIds(actions.resendDeadLetters)),
    mirror("quarantine/recheck", "quarantine_rechecked", withIds(actions.recheckQuarantined)),
    mirror("quarantine/drop", "quarantine_dropped", withIds(actions.dropQuarantined)),
    mirror("deletions/release", "deletions_released", decideHeld(actions.releaseDeletions)),
    mirror("deletions/discard", "deletions_discarded", decideHeld(actions.discardDeletions)),
  ];
}

/** Makes the actions of the forms of a tab, which shows what came of them; null: of all pages. */
function formsOf(tab: Tab | null) {
  return (path: string, done: keyof OpsMessages["done"], work: Work): FormAction => ({
    path: `/ops/${path}`,
    tab,
    done: () => done,
    at: () => tab ?? "",
    work: async (c, form) => {
      // Actions on several rows tell of how many they were.
      if ((await work(c, form)) === 0) {
        const code = done === "messages_replayed" ? "nothing_to_replay" : "nothing_left";
        refuse(409, code, "nothing that was chosen is there any more");
      }
      return null;
    },
  });
}

type Work = (c: ApiContext, form: Values) => Promise<unknown>;

const idOf = (c: ApiContext) => Number(c.req.param("id"));

/** An action about what the path names. */
function withId(work: (by: Actor, id: number) => Promise<unknown>): Work {
  return (c) => work(byConsole(c), idOf(c));
}

/** An action about the rows that the form names. */
function withIds(work: (by: Actor, ids: readonly number[]) => Promise<unknown>): Work {
  return async (c) => {
    const { ids } = readOrRefuse(idsBody, { ids: await readNumbers(c, "id") });
    return work(byConsole(c), ids);
  };
}

/** The values of a field that stands in a form several times. */
async function readNumbers(c: ApiContext, name: string): Promise<number[]> {
  return (await c.req.formData()).getAll(name).map(Number);
}

/** The body that the ops API would get; an empty field is left out. */
function readKeyForm(form: Values): Record<string, unknown> {
  const limit = (text = "") => (text.trim() === "" ? null : typedNumber(text));
  return {
    name: form.name ?? "",
    per_minute: limit(form.per_minute),
    per_day: limit(form.per_day),
    origins: originsIn(form.origins),
  };
}

/** Beyond it a Date has no time. */
const latestMs = 8.64e15;

/** The dead letters of the last hours. */
function readReplay(form: Values, now: Date) {
  const from = now.getTime() - Number(form.hours) * 3_600_000;
  const toText = (ms: number) => (Math.abs(ms) <= latestMs ? new Date(ms).toISOString() : "");
  return readOrRefuse(replaySchema, { from: toText(from), to: toText(now.getTime() + 1) });
}

/** An action about held deletions; also one that only lets later ones take effect again has done something. */
function decideHeld(decide: OpsActions["releaseDeletions"]): Work {
  return async (c, form) => {
    const scope = await readScope(c, form);
    const { taken, endedGuard } = await decide(byConsole(c), scope, readSeen(form));
    return taken + Number(endedGuard);
  };
}

/** When the page was drawn: nobody decides about what it did not show. */
function readSeen({ seen = "" }: Values): Date | undefined {
  return /^\d{1,15}$/.test(seen) ? new Date(Number(seen)) : undefined;
}

/** The held deletions that a form selects: the ticked ones (perhaps none), those of a shop, or all. */
async function readScope(c: ApiContext, form: Values): Promise<HeldScope> {
  const ticked = await readNumbers(c, "item_id");
  if (form.chosen === undefined && ticked.length === 0) return { shopId: form.shop_id };
  const { item_ids: itemIds } = readOrRefuse(heldScope, { item_ids: ticked });
  return { itemIds };
}
