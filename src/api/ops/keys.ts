import { z } from "@hono/zod-openapi";
import { anonymousKey } from "../../keys/key-use.ts";
import { listKeys, mostKeys, readUse, useDaysShown, type UseDay } from "../../keys/stored-keys.ts";
import type { Db } from "../../db/open.ts";
import { calendarDay } from "../../lib/calendar.ts";
import { collect } from "../../lib/collect.ts";
import { bodyText, idParam } from "../http/parameters.ts";
import {
  instantSchema,
  objectAnswer,
  requiredJson,
  failure,
  createRoutes,
  strict,
} from "../http/route.ts";
import { toMembers, membersOf } from "../http/to-members.ts";
import { byApi, type OpsContext, opsRoute } from "./context.ts";

const maxLimit = 1_000_000_000;
const maxOrigins = 20;

const limitRule = `must be a whole number from 1 to ${maxLimit}, or null`;
const limitSchema = (description: string) =>
  z.int(limitRule).min(1, limitRule).max(maxLimit, limitRule).nullable().openapi({ description });

const originRule =
  "must be an origin such as https://shop.example or http://localhost:5173: scheme, host and port only";
const originSchema = z
  .string(originRule)
  .max(255, originRule)
  .transform((text, ctx) => {
    const origin = toOrigin(text.trim());
    if (origin !== null) return origin;
    ctx.addIssue(originRule);
    return z.NEVER;
  })
  .openapi({ type: "string", maxLength: 255, example: "https://shop.example" });

/** As browsers write it in `Origin`; null for anything else than a web origin. */
function toOrigin(text: string): string | null {
  if (!/^https?:\/\/[^/?#@\s]+\/?$/i.test(text) || !URL.canParse(text)) return null;
  return new URL(text).origin;
}

const perMinute = limitSchema("requests in a minute of the clock; null or absent: any number");
const perDay = limitSchema(
  "requests in a day of the marketplace's calendar; null or absent: any number",
);

export const newKey = strict({
  name: bodyText(100).openapi({ example: "shop.example" }),
  per_minute: perMinute.optional(),
  per_day: perDay.optional(),
  origins: z
    .array(originSchema, "must be a list of origins")
    .max(maxOrigins, `may have at most ${maxOrigins} origins`)
    .optional()
    .describe(
      "pages of these origins may use the key, and nothing else; empty or absent: it may be used from everywhere",
    ),
}).openapi("NewKey");

const count = z.int();
const useSchema = z
  .object({
    day: z.iso.date(),
    requests: count.describe("let through"),
    errors: count.describe("of these, answered with a status of 400 or more"),
    limited: count.describe("refused with 429 beyond a limit of the key"),
    other_origin: count.describe("refused with 403"),
  })
  .openapi("KeyUse");

const storedParts = {
  key_id: z.int(),
  name: z.string(),
  last_four: z.string().openapi({ description: "of the key, to tell keys apart", example: "9f3a" }),
  per_minute: z.int().nullable(),
  per_day: z.int().nullable(),
  origins: z.array(z.string()).describe("empty: from everywhere"),
  created_at: instantSchema,
  revoked_at: instantSchema.nullable(),
};
const keySchema = z
  .object({
    ...storedParts,
    last_used_day: z.iso.date().nullable(),
    use: z.array(useSchema).describe("newest day first; days without use are left out"),
  })
  .openapi("Key");
const listRoute = opsRoute("get /keys", {
  operationId: "listKeys",
  summary: `API keys and their use in the last ${useDaysShown} days, newest first; then those revoked last`,
  responses: {
    200: objectAnswer("Keys", "KeyList", {
      items: z.array(keySchema),
      without_key: z.array(useSchema).describe("requests without a key"),
    }),
  },
});

const createKeyRoute = opsRoute("post /keys", {
  operationId: "createKey",
  summary: "Create an API key",
  description: `The key is shown in this answer alone; only its hash is stored. There may be ${mostKeys} live keys.`,
  request: { body: requiredJson(newKey) },
  responses: {
    201: objectAnswer("The key", "CreatedKey", {
      ...storedParts,
      key: z.string().openapi({
        description: "shown in this answer alone",
        example: "kurabe_0123456789abcdef0123456789abcdef0123456789abcdef",
      }),
    }),
    409: failure(`There are ${mostKeys} live keys already`),
  },
});

const revokeRoute = opsRoute("delete /keys/{id}", {
  operationId: "revokeKey",
  summary: "Revoke an API key, for ever; its use stays listed",
  request: { params: strict({ id: idParam() }) },
  responses: {
    204: { description: "Refused from now on, in other processes within seconds" },
    404: failure("There is no such live key"),
  },
});

export function keyRoutes({ opsDb, clock, budget, actions }: OpsContext) {
  return createRoutes()
    .openapi(listRoute, async (c) => {
      const { keys, useOf } = await readKeysWithUse(opsDb, clock.now(), budget.timezone);
      const items = keys.map((key) => ({
        ...toMembers(key),
        use: useOf(key.keyId).map(toUse),
      }));
      return c.json({ items, without_key: useOf(anonymousKey).map(toUse) }, 200);
    })
    .openapi(createKeyRoute, async (c) => {
      const { stored, text } = await actions.createKey(byApi(c), toNewKey(c.req.valid("json")));
      return c.json({ ...toMembers(stored), key: text }, 201);
    })
    .openapi(revokeRoute, async (c) => {
      await actions.revokeKey(byApi(c), c.req.valid("param").id);
      return c.body(null, 204);
    });
}

export function toNewKey(body: z.infer<typeof newKey>) {
  return {
    name: body.name,
    perMinute: body.per_minute ?? null,
    perDay: body.per_day ?? null,
    origins: [...new Set(body.origins)],
  };
}

export type KeysWithUse = Awaited<ReturnType<typeof readKeysWithUse>>;

export async function readKeysWithUse(db: Db, now: Date, timezone: string) {
  const since = new Date(now.getTime() - (useDaysShown - 1) * 86_400_000);
  const [keys, days] = await Promise.all([listKeys(db), readUse(db, calendarDay(since, timezone))]);
  const byKey = collect(days, (day) => [day.key_id]);
  /** Newest day first. */
  const useOf = (keyId: number): readonly UseDay[] => byKey.get(keyId) ?? [];
  return { keys, useOf };
}

const toUse = (day: UseDay) => membersOf(useSchema, day);
