import { z } from "@hono/zod-openapi";
import { toHeadline } from "../../alerts/event-text.ts";
import { readFeed, type AlertEvent, type Feed } from "../../alerts/events.ts";
import type { Market } from "../../catalog/market.ts";
import { alertKinds } from "../../db/schema.ts";
import { languages, type Language } from "../../lib/languages.ts";
import { escapeMarkup } from "../../lib/escape-markup.ts";
import { etagOf, matchesEtag, sendZipped } from "../http/answer.ts";
import type { ApiDeps } from "../http/deps.ts";
import { choiceParam, orElse, textParam } from "../http/parameters.ts";
import { refuse } from "../http/problems/problem.ts";
import { instantSchema, failure, createRoutes, publicRoute, strict } from "../http/route.ts";
import { toIso } from "../http/to-members.ts";

const entries = 50;
const types = {
  atom: "application/atom+xml; charset=utf-8",
  json: "application/feed+json; charset=utf-8",
} as const;

const jsonFeedSchema = z
  .object({
    version: z.string().openapi({ example: "https://jsonfeed.org/version/1.1" }),
    title: z.string(),
    language: z.enum(languages),
    items: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        content_text: z.string(),
        url: z.string(),
        date_published: instantSchema,
        tags: z.array(z.enum(alertKinds)),
      }),
    ),
  })
  .openapi("JsonFeed");

const example = {
  version: "https://jsonfeed.org/version/1.1",
  title: "革財布 8000円まで",
  language: "ja" as const,
  items: [],
};

const route = publicRoute("get /feeds/{file}", {
  operationId: "getFeed",
  tags: ["alerts"],
  summary: `The newest ${entries} events of one saved search, as Atom or JSON Feed 1.1`,
  description: "The address was in the answer that made the saved search, and is its only key.",
  request: {
    params: strict({
      file: textParam(60).openapi({
        description: "the secret with `.atom` or `.json`",
        example: "0123456789abcdefghijklmnopqrstuv.atom",
      }),
    }),
    query: strict({ lang: orElse(choiceParam(languages), "ja") }),
  },
  responses: {
    200: {
      description: "The feed",
      content: {
        "application/atom+xml": { schema: z.string() },
        "application/feed+json": { schema: jsonFeedSchema, example },
      },
    },
    304: { description: "Unchanged since `If-None-Match`" },
    404: failure("No feed has this address"),
  },
});

export function feedRoutes({ db, market }: ApiDeps) {
  return createRoutes().openapi(route, async (c) => {
    const { file } = c.req.valid("param");
    const [, secret = "", format] = /^([^.]+)\.(atom|json)$/.exec(file) ?? [];
    const feed = await readFeed(db, secret, entries);
    if (feed === null || (format !== "atom" && format !== "json")) {
      refuse(404, "not_found", "no feed has this address");
    }
    const { lang } = c.req.valid("query");
    const origin = new URL(market.publicUrl ?? c.req.url).origin;
    const shown = { feed, origin, lang, market };
    const text = format === "atom" ? toAtom(shown) : toJsonFeed(shown);
    const headers = { ETag: etagOf(text), "Cache-Control": "private, no-cache" };
    if (matchesEtag(c.req.header("If-None-Match"), headers.ETag)) return c.body(null, 304, headers);
    return sendZipped(c, text, 200, { ...headers, "Content-Type": types[format] });
  });
}

interface Shown {
  feed: Feed;
  /** Of the site. */
  origin: string;
  lang: Language;
  market: Market;
}

/** RFC 4151: stays the same wherever the feed is read. */
const tagOf = (origin: string, what: string) => `tag:${new URL(origin).hostname},2026:${what}`;

/** The shop has no page of a product that it deleted. */
function linkOf({ kind, shop, itemId }: AlertEvent, { origin, market }: Shown): string {
  const sold = kind === "gone" || shop === null ? null : market.urlOf({ itemId, shop });
  return sold ?? `${origin}/products/${itemId}`;
}

const updatedOf = ({ events: [newest], updatedAt }: Feed) => toIso(newest?.at ?? updatedAt);

/** RFC 4287. */
function toAtom(shown: Shown): string {
  const { feed, origin, lang, market } = shown;
  const items = feed.events.map(
    (event) => `<entry><id>${xml(tagOf(origin, `event/${event.eventId}`))}</id>
<title>${xml(toHeadline(event, { lang, currency: market.currency }))}</title>
<link rel="alternate" href="${xml(linkOf(event, shown))}"/>
<category term="${event.kind}"/><updated>${toIso(event.at)}</updated></entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${lang}"><id>${xml(tagOf(origin, `saved-search/${feed.savedSearchId}`))}</id>
<title>${xml(feed.name)}</title><author><name>Kurabe</name></author><updated>${updatedOf(feed)}</updated>
${items.join("\n")}
</feed>
`;
}

/** Characters that XML 1.0 does not have are left out. */
function xml(text: string): string {
  return escapeMarkup(
    text.toWellFormed().replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ""),
  );
}

/** https://www.jsonfeed.org/version/1.1/ */
function toJsonFeed(shown: Shown): string {
  const { feed, origin, lang, market } = shown;
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: feed.name,
    language: lang,
    items: feed.events.map((event) => {
      const headline = toHeadline(event, { lang, currency: market.currency });
      return {
        id: tagOf(origin, `event/${event.eventId}`),
        title: headline,
        content_text: headline,
        url: linkOf(event, shown),
        date_published: toIso(event.at),
        tags: [event.kind],
      };
    }),
  });
}
