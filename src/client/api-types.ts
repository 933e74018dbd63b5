// Written by `npx tsx scripts/client-types.ts` from /openapi.json; a test fails while it is out of date.

export interface paths {
    "/v1/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search products across all shops
         * @description The index finds and orders the products; price, stock and existence are read from the catalogue at answer time. Pages of more than 50 products or deeper than 1000, and searches with `max_age_s` or `group`, wait for one another, and are answered 503 when too many do. An answer of more than 8388608 bytes is refused with 400.
         */
        get: operations["searchProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Values of one facet by their beginning, with counts
         * @description For filter menus with a search box. Takes the parameters of GET /v1/products except those for paging, and counts what `found` counts there, without the restriction by this facet; `sort` has no effect.
         */
        get: operations["searchFacetValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products/{item_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One product as it was last observed */
        get: operations["getProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Many products at once, by id
         * @description At most 200 ids in a body of 16384 bytes, and 8388608 bytes of answer; more is refused. Lookups wait for one another; if too many wait, the answer is 503.
         */
        post: operations["lookUpProducts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What changed, in the order of commits
         * @description To keep a copy in step: put `product` where it is given, remove the copy where it is null, keep `next`, ask again. Reading the same part twice does no harm. Without `after`: first everything that lives, by item_id, then what has changed since the beginning of that reading. Members that change with time or with other products (`age_s`, `checked_at`, `group`) make no change of their own. Of old changes only the newest of each product is kept, which is all that a reader needs. A page may have fewer than `limit` items, because it ends at 4194304 bytes. Pages of more than 100 wait for one another; if too many wait, the answer is 503.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exports/manifest.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Daily snapshots of all products, to begin a copy with
         * @description Each file has every product that lived at that moment, without `age_s`: JSON lines with one Product each, and Parquet in which lists and objects are JSON. Load one, then follow `GET /v1/changes?after=` its `cursor`.
         */
        get: operations["getSnapshotManifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exports/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A file of a snapshot; a range resumes a broken download
         * @description A file never changes. The oldest ones are removed when new ones are made.
         */
        get: operations["getSnapshotFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products/{item_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Confirmed prices and stock over time, also of deleted products */
        get: operations["getProductHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/offers/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Every shop's offers for many barcodes at once
         * @description At most 200 barcodes in a body of 16384 bytes, 20 offers of each (`coverage.complete` says whether there are more), and 8388608 bytes of answer; more is refused. Lookups wait for one another; if too many wait, the answer is 503.
         */
        post: operations["lookUpOffers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/offers/{gtin}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every shop's offers for one barcode
         * @description JAN, EAN, UPC or GTIN of 8, 12, 13 or 14 digits. An unknown barcode has no offers, nor has a number that shops give to goods of their own (GS1 prefixes 02, 04 and 2).
         */
        get: operations["getOffersByGtin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products/{item_id}/offers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The same product across shops, also for deleted products
         * @description Every product and variation with one of its barcodes, and the other members of its group; without those that people decided are different.
         */
        get: operations["getProductOffers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/groups/{group_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One comparable product with the offers of all shops
         * @description Products of several shops that are the same, by barcode, model, text or decision of people. When groups prove to be one product, they become one; the old ids lead to it.
         */
        get: operations["getGroup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products/{item_id}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a product upstream now
         * @description Uses the day's quota of calls for refresh on demand. Requests for products of one shop share a call, and one API key or, without a key, one address can use a fifth of the quota. Without a key all pages of other sites use one such fifth together. To wait longer, ask again: the same request continues.
         */
        post: operations["refreshProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/price-drops": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What became cheaper
         * @description The end of a price that was more than five times too high for at most three days is left out.
         */
        get: operations["listPriceDrops"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/go/{item_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * To the product's page in its shop, and count the click
         * @description For links that people follow. Clicks are counted per product, API key, `src` and day; those of programs are not. Nothing about the visitor is stored. Parameters other than `src` are ignored.
         */
        get: operations["goToShop"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shops": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All shops, those with most products first, or the named ones
         * @description With `shop_id` the list has these shops alone, in the order of their ids. This also finds shops whose id is `.` or `..`, which no path can carry: clients take them out of addresses.
         */
        get: operations["listShops"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shops/{shop_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One shop
         * @description Shops whose id is `.` or `..` are found by `GET /v1/shops?shop_id=` alone.
         */
        get: operations["getShop"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All categories, those with most products first
         * @description A product may be in several categories.
         */
        get: operations["listCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Size, freshness and progress */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suggest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Completions for a search box
         * @description Made of titles, categories and shop names of products on sale. Each of them finds a product.
         */
        get: operations["suggest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The webhooks of this key */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook, to which events of saved searches are sent
         * @description A message is `{type, timestamp, data}`: `type` is the kind of the event, or `test`, and `data` that of `GET /v1/events` with `event_id`, `saved_search_id`, `saved_search_name`, `item_id` and `ver`. It follows Standard Webhooks 1.0: `webhook-signature` has `v1,` and the HMAC-SHA256, in base64, of `{webhook-id}.{webhook-timestamp}.{body}`, whose key is what stands behind `whsec_` in the secret, in base64; after a rotation two of them, with a space between. Use `webhook-id` to leave out what came twice. Answer 2xx within 15 s; anything else, also a redirect, is tried again ten times in three days. 410 ends it. The URL must be https and lead to public addresses only. A key has at most 20 webhooks.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One webhook */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /** Delete a webhook with its messages */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /** Change its URL, pause it, or enable it again */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A new secret; for 24 hours messages are signed with the old one too */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message of the type `test`, once
         * @description It is sent within seconds; its delivery says what came of it.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was sent to a webhook, and what came of it
         * @description Deliveries are kept for 30 days.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/meili/multi-search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Several searches at once, for InstantSearch
         * @description Meilisearch's read protocol over the index `products` (or `products:price:asc` and the like for an order), as of Meilisearch 1.21. All shown values are read from the catalogue. A parameter that cannot be honoured is refused. One request has at most 20 queries, which together show at most 1000 hits, rank 20000 (offset and limit), compare with 500 values in filters and count 60 facets; its body has at most 262144 bytes and its answer 8388608. More is answered 400 (413 for the body) and names the bound. Large requests wait for one another, and are answered 503 when too many do.
         */
        post: operations["meiliMultiSearch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/meili/indexes/{index_uid}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One search, with its parameters in the address
         * @description One request has at most 20 queries, which together show at most 1000 hits, rank 20000 (offset and limit), compare with 500 values in filters and count 60 facets; its body has at most 262144 bytes and its answer 8388608. More is answered 400 (413 for the body) and names the bound. Large requests wait for one another, and are answered 503 when too many do.
         */
        get: operations["meiliSearchByUrl"];
        put?: never;
        /**
         * One search, in Meilisearch's format
         * @description One request has at most 20 queries, which together show at most 1000 hits, rank 20000 (offset and limit), compare with 500 values in filters and count 60 facets; its body has at most 262144 bytes and its answer 8388608. More is answered 400 (413 for the body) and names the bound. Large requests wait for one another, and are answered 503 when too many do.
         */
        post: operations["meiliSearch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/meili/indexes/{index_uid}/facet-search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Values of a facet by prefix, for searchable refinement lists */
        post: operations["meiliFacetSearch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/meili/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether searches are answered, in Meilisearch's format */
        get: operations["meiliHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/saved-searches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The saved searches of the API key, oldest first */
        get: operations["listSavedSearches"];
        put?: never;
        /**
         * Be told of changes of the products that a search finds
         * @description Every change is judged once, when it is stored: see `GET /v1/events`. A key may have 10000 saved searches, in bodies of at most 65536 bytes.
         */
        post: operations["createSavedSearch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/saved-searches/{saved_search_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One saved search */
        get: operations["getSavedSearch"];
        put?: never;
        post?: never;
        /** Delete it; its events stay */
        delete: operations["deleteSavedSearch"];
        options?: never;
        head?: never;
        /**
         * Change what is given
         * @description Another query, other rules and the end of a pause begin anew: what was told of products before is forgotten.
         */
        patch: operations["changeSavedSearch"];
        trace?: never;
    };
    "/v1/saved-searches/{saved_search_id}/feeds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** New addresses for its feeds; the old ones stop to work */
        post: operations["renewFeeds"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the key's saved searches have told, in the order of commits
         * @description Each saved search, product, kind and version of the product is told once. Keep `next` and ask again: nothing is missed. Events are kept for 90 days.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The same as Server-Sent Events
         * @description Each event has its cursor as `id`, its kind as `event`, and an item of `GET /v1/events` as `data`. It goes on behind `Last-Event-ID` or `after`; without both: with what is told from now on. The connection ends after ten minutes; event sources connect again by themselves. A key may have 5 streams at once, a process has 200.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The newest 50 events of one saved search, as Atom or JSON Feed 1.1
         * @description The address was in the answer that made the saved search, and is its only key.
         */
        get: operations["getFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The process is alive: it answers, and no loop of its worker hangs */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The process may be sent requests: the database answers, its migrations are applied, and no stop has begun */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Prometheus metrics */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Today's calls, in the upstream's calendar */
        get: operations["getBudget"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The ledger of calls, newest first
         * @description With filters, a page looks at some thousand calls at most: it may be short or empty and still have a `next`.
         */
        get: operations["listCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/calls/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One call: what it asked, what it cost, and what it found and changed */
        get: operations["getCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Failed calls by kind: of the last 24 hours by the hour, or of 7 or 30 days by the day; oldest first */
        get: operations["getFailures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The schedule: expressions, next runs, last outcomes */
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/jobs/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change a job; if any part is invalid, nothing is changed */
        patch: operations["changeJob"];
        trace?: never;
    };
    "/ops/v1/jobs/{name}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start a run at once, independent of cron; it keeps the budget, and the pace too after half of the day's calls */
        post: operations["runJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/jobs/{name}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop a manual run of a crawl job: sent calls are finished, and no more are made for it */
        post: operations["stopJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/queries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Discovery keywords and what each call for them yields */
        get: operations["listQueries"];
        put?: never;
        /** Add a keyword */
        post: operations["addQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/queries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a keyword; its products stay, and it is not proposed again */
        delete: operations["removeQuery"];
        options?: never;
        head?: never;
        /** Pause or resume a keyword */
        patch: operations["changeQuery"];
        trace?: never;
    };
    "/ops/v1/queries/change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume, pause or remove several keywords */
        post: operations["changeQueries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/queries/add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add several keywords; those in the list already are left as they are */
        post: operations["addQueries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/zero-results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What at least 3 visitors searched for without results, the 100 most wanted first */
        get: operations["listZeroResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The next calls with their value, and the expected freshness; spends nothing */
        get: operations["getPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/plan/what-if": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Freshness under another budget, maximum age or weights, from learned rates; spends nothing */
        post: operations["askWhatIf"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the crawler makes calls, and if not, why */
        get: operations["getCrawlState"];
        put?: never;
        /** Stop making calls, in every process; the API keeps running */
        post: operations["pauseCrawl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make calls again; if anomalous answers had stopped them, accept such answers for a day */
        post: operations["resumeCrawl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/backoffs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Subjects in backoff because their calls failed, soonest retry first */
        get: operations["listBackoffs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/backoffs/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the wait; the count of failures stays */
        post: operations["retryBackoff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/backoffs/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the waits of these subjects; their counts of failures stay */
        post: operations["retryBackoffs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/mirror": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far the search index is behind the database, and the last consistency check */
        get: operations["getMirror"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/mirror/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check that index and database are equal: the versions of 100,000 products, or of more so that all are checked every day */
        post: operations["verifyMirror"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/mirror/rebuild": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Build a new index beside the serving one, and switch once it is verified */
        post: operations["rebuildMirror"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/mirror/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Products whose documents the search engine refuses, by item_id */
        get: operations["listDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/mirror/dead-letters/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send the documents of these products (item ids) again */
        post: operations["resendDeadLetters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/placement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which of several search hosts has which share of the products */
        get: operations["getPlacement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/quarantine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Items that could not be read, or have a field that could not, each once for a reason, newest first */
        get: operations["listQuarantine"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/quarantine/recheck": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check the products of these items at once; the items stay in the list */
        post: operations["recheckQuarantined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/quarantine/drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Delete these items from the quarantine */
        post: operations["dropQuarantined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/deletions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Deletions held because too much vanished at once */
        get: operations["getHeldDeletions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/deletions/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Release the held deletions: the products are deleted */
        post: operations["releaseHeldDeletions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/deletions/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Discard the held deletions: the products stay and are checked again */
        post: operations["discardHeldDeletions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Files written by `kurabe export`, finished ones only */
        get: operations["listExports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/exports/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One of these files; a range resumes a broken download */
        get: operations["getExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** API keys and their use in the last 7 days, newest first; then those revoked last */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The key is shown in this answer alone; only its hash is stored. There may be 1000 live keys.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an API key, for ever; its use stays listed */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/matches/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Doubtful matches, ordered by demand times the effect on the lowest price */
        get: operations["listDoubtfulMatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/matches/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Decisions about matches, newest first */
        get: operations["listMatchDecisions"];
        put?: never;
        /**
         * Decide whether two products are the same
         * @description Stands above every code and text, whatever changes about the products, until a later decision about the same two or its undoing. Groups follow within seconds.
         */
        post: operations["decideMatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/matches/decisions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Take a decision back, as if nobody had decided about the pair */
        delete: operations["undoMatchDecision"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/matches/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How sure matches within categories are, and where none are made; by name */
        get: operations["listMatchCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/groups/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened to groups, in order: merges, splits, members
         * @description A reader that goes on at `next` misses nothing and can begin again at 0.
         */
        get: operations["listGroupChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Messages to webhooks and what came of them, newest first */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Webhooks that fail or were disabled, at most 200, those disabled last first */
        get: operations["listTroubledWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/webhooks/deliveries/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send messages again: some by their ids, or the dead letters of a time
         * @description With `ids`, delivered messages are sent again too. `from` (included) and `to` (not included) are about when the message was made. Messages keep their ids. Those that wait already and those of webhooks that are not enabled are left out. At most 1000 at a time: repeat while `more` is true.
         */
        post: operations["replayDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/saved-searches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The 50 saved searches with the most events */
        get: operations["listBusiestSavedSearches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ops/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What operators did and what they were refused, newest first */
        get: operations["listActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This description */
        get: operations["getOpenapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ProductSearchResult: {
            /** @description products that have every word, or rows if they are grouped. Facets count these, and pages begin with them */
            found: number;
            /** @description products that follow because they have most of the words; rare words weigh most. At most 100; none if `found` fills a page or `match` is `all` */
            partially_found: number;
            /** @description what was searched in place of `q`, because no product has one of its words as typed, or all of them with words like `cheap` that say nothing about a product; quotes around a word keep it */
            corrected: string | null;
            /** @description false: there are at least `found`, for example because of other forms of the words only the best are read */
            found_exact: boolean;
            page: number;
            per_page: number;
            /** @description of all prices, by ISO 4217 */
            currency: string;
            took_ms: number;
            /**
             * @description which engine found the products
             * @enum {string}
             */
            engine: "meilisearch" | "postgres";
            /** @description true: the search engine does not answer, and Postgres replaces it */
            degraded: boolean;
            /** @description what was left out or approximated */
            warnings: string[];
            /** @description ages of the returned items; null without items */
            freshness: {
                p50_s: number | null;
                p95_s: number | null;
                oldest_s: number | null;
                /**
                 * @description which Postgres answered; only if there is a replica
                 * @enum {string}
                 */
                read_from?: "primary" | "replica";
                /** @description the replica may lack what was written in so many seconds before the answer; null: not known. Only if it answered */
                replica_lag_s?: number | null;
            };
            /** @description how long the oldest change has been waiting to become searchable; 0 if Postgres searched */
            mirror_lag_s: number;
            /** @description whole products, or with `fields` parts of them */
            items: (components["schemas"]["FoundProduct"] | components["schemas"]["SelectedProduct"])[];
            /** @description the requested facets over all products that `found` counts (never those of `partially_found`; of `corrected`, where there is one), each without its own filter; price is absent if nothing is found */
            facets: {
                shop_id?: components["schemas"]["ShopFacetValue"][];
                category?: components["schemas"]["FacetValue"][];
                condition?: components["schemas"]["FacetValue"][];
                colour?: components["schemas"]["FacetValue"][];
                size?: components["schemas"]["FacetValue"][];
                in_stock?: components["schemas"]["FacetValue"][];
                price?: components["schemas"]["PriceFacet"];
            };
            /** @description false: values are missing that `facet_limit` did not leave out, or counts are too low */
            facets_exact: {
                shop_id?: boolean;
                category?: boolean;
                condition?: boolean;
                colour?: boolean;
                size?: boolean;
                price?: boolean;
                in_stock?: boolean;
            };
        };
        FoundProduct: components["schemas"]["Product"] & {
            offers?: components["schemas"]["OfferGroup"];
            /**
             * @description all: has every word of `q`; partial: lacks some, follows where the others do not fill a page of 20 or more
             * @enum {string}
             */
            match: "all" | "partial";
            /** @description of a partial match: the words it lacks, as typed */
            missing_words?: string[];
            highlights: {
                /** @description HTML: escaped text, matches in <em>; as indexed */
                title: string;
            };
        };
        /** @description read from title and variations; null stands where they say nothing sure: no content, a range, two readings that disagree, or variations of different contents */
        UnitPrice: {
            /** @description of one `per`, rounded to 2 decimals */
            amount: number;
            /**
             * @description for up to 250 g (ml) 100 g (ml), above that 1 kg (l)
             * @enum {string}
             */
            per: "100 g" | "1 kg" | "100 ml" | "1 l" | "1 piece";
            /** @description what the package holds, all its parts together */
            quantity: {
                value: number;
                /** @enum {string} */
                unit: "g" | "ml" | "piece";
            };
        };
        /** @description null stands where the price is not below proper_price */
        Reduction: {
            /** @description rounded down */
            percent: number;
            /** @enum {string} */
            basis: "proper_price";
            /** @description the lowest price confirmed in the 30 days before the present price was first seen; null: none, or no other price is known */
            low_30d: number | null;
            /** @description whether the price is below low_30d; null: those days were not looked at often enough, that is, the product was first seen within them, or more than 7 days passed between two checks */
            holds: boolean | null;
        };
        /** @description the same product in several shops, by barcode, model, text or decision of people; null: no other offer of it is known */
        ProductGroup: {
            /** @description of `GET /v1/groups/{group_id}` */
            group_id: number;
            /** @description products of it that are sold now */
            offers: number;
            /** @description of its offers in stock, or of all if none is; an offer with a `condition` (used, refurbished …) counts only if all of these have one; null: no price is known */
            lowest_price: number | null;
            /** @description of those of them with a `condition`; null: there is none. A condition that no title tells is not known */
            lowest_used_price: number | null;
        };
        /** @description what the title tells, in lower case, read in the background; null: the title was not read yet */
        ProductAttributes: {
            /** @description content of one piece in `unit`; null: not said, or not clear */
            quantity: number | null;
            unit: string | null;
            /** @description pieces in the pack; null: one */
            pack: number | null;
            /** @description as wh-1000xm4 */
            models: string[];
            /** @description English names */
            colours: string[];
            size: string | null;
            /** @description used, refurbished, opened, graded or state with the grade; null: not said */
            condition: string | null;
            /** @description as limited */
            edition: string | null;
        };
        /** @description URL by size; null if a size is missing or not an http or https address */
        Image: {
            /** @description http or https; null where the shop wrote anything else */
            76: string | null;
            /** @description http or https; null where the shop wrote anything else */
            146: string | null;
            /** @description http or https; null where the shop wrote anything else */
            300: string | null;
            /** @description http or https; null where the shop wrote anything else */
            500: string | null;
            /** @description http or https; null where the shop wrote anything else */
            640: string | null;
            /** @description http or https; null where the shop wrote anything else */
            origin: string | null;
            /** @description http or https; null where the shop wrote anything else */
            sp_480: string | null;
            /** @description http or https; null where the shop wrote anything else */
            sp_640: string | null;
        };
        Variation: {
            variation_id: number;
            variation: string;
            variation_stock: number;
            variation_identifier: string | null;
            barcode: string | null;
        };
        /** @description the found offers of this product; with `group` */
        OfferGroup: {
            /** @description with `group=gtin`; null: the product has none and is not grouped */
            gtin: string | null;
            count: number;
            in_stock: number;
            shops: number;
            /** @description of those with a price; one with a `condition` (used, refurbished …) counts only if every one has one; 0: none has a price */
            lowest_price: number;
            /** @description as lowest_price */
            highest_price: number;
            /** @description of those with a price and a `condition`; 0: there is none */
            lowest_used_price: number;
        };
        Product: {
            item_id: number;
            /** @description text as the shop wrote it, not HTML */
            title: string;
            /** @description text as the shop wrote it, not HTML */
            detail: string;
            /** @description where the product is sold; null if no http or https address is known. `/go/{item_id}` leads there and counts the click */
            url: string | null;
            /** @description tax included, in whole units of `currency`. 0: the shop states no price. Such a product comes last in price:asc, price:desc and discount:desc, matches no price_min, price_max or on_sale=true, and is in no lowest price, low, price facet, reduction or unit price */
            price: number;
            /** @description of all prices, by ISO 4217 */
            currency: string;
            proper_price: number | null;
            /** @description reduction from proper_price, rounded down; 0 without a reduction */
            discount_percent: number;
            unit_price: components["schemas"]["UnitPrice"] | null;
            reduction: components["schemas"]["Reduction"] | null;
            group: components["schemas"]["ProductGroup"] | null;
            attributes: components["schemas"]["ProductAttributes"] | null;
            stock: number;
            in_stock: boolean;
            identifier: string | null;
            /** @description valid barcodes of its variations */
            gtins: string[];
            /** @description only the slots in use */
            images: components["schemas"]["Image"][];
            variations: components["schemas"]["Variation"][];
            shop: {
                shop_id: string;
                shop_name: string;
                /** @description http or https; null where the shop wrote anything else */
                shop_url: string | null;
            };
            categories: string[];
            /** @description the upstream's raw integer */
            modified: number;
            /**
             * Format: date-time
             * @description null if the unit of `modified` cannot be told
             */
            modified_at: string | null;
            /** Format: date-time */
            first_seen_at: string;
            /**
             * Format: date-time
             * @description when the upstream last showed the product
             */
            checked_at: string;
            /** @description seconds since checked_at; not part of the ETag */
            age_s: number;
            /**
             * Format: date-time
             * @description when the present price, proper price and stock were first seen
             */
            price_since: string;
        };
        /** @description With `fields`: the members that it names */
        SelectedProduct: {
            item_id: number;
            /** @description text as the shop wrote it, not HTML */
            title?: string;
            /** @description text as the shop wrote it, not HTML */
            detail?: string;
            /** @description where the product is sold; null if no http or https address is known. `/go/{item_id}` leads there and counts the click */
            url?: string | null;
            /** @description tax included, in whole units of `currency`. 0: the shop states no price. Such a product comes last in price:asc, price:desc and discount:desc, matches no price_min, price_max or on_sale=true, and is in no lowest price, low, price facet, reduction or unit price */
            price?: number;
            /** @description of all prices, by ISO 4217 */
            currency?: string;
            proper_price?: number | null;
            /** @description reduction from proper_price, rounded down; 0 without a reduction */
            discount_percent?: number;
            unit_price?: components["schemas"]["UnitPrice"] | null;
            reduction?: components["schemas"]["Reduction"] | null;
            group?: components["schemas"]["ProductGroup"] | null;
            attributes?: components["schemas"]["ProductAttributes"] | null;
            stock?: number;
            in_stock?: boolean;
            identifier?: string | null;
            /** @description valid barcodes of its variations */
            gtins?: string[];
            /** @description only the slots in use */
            images?: components["schemas"]["Image"][];
            variations?: components["schemas"]["Variation"][];
            shop?: {
                shop_id: string;
                shop_name: string;
                /** @description http or https; null where the shop wrote anything else */
                shop_url: string | null;
            };
            categories?: string[];
            /** @description the upstream's raw integer */
            modified?: number;
            /**
             * Format: date-time
             * @description null if the unit of `modified` cannot be told
             */
            modified_at?: string | null;
            /** Format: date-time */
            first_seen_at?: string;
            /**
             * Format: date-time
             * @description when the upstream last showed the product
             */
            checked_at?: string;
            /** @description seconds since checked_at; not part of the ETag */
            age_s?: number;
            /**
             * Format: date-time
             * @description when the present price, proper price and stock were first seen
             */
            price_since?: string;
            offers?: components["schemas"]["OfferGroup"];
            /**
             * @description all: has every word of `q`; partial: lacks some, follows where the others do not fill a page of 20 or more
             * @enum {string}
             */
            match?: "all" | "partial";
            /** @description of a partial match: the words it lacks, as typed */
            missing_words?: string[];
            highlights?: {
                /** @description HTML: escaped text, matches in <em>; as indexed */
                title: string;
            };
        };
        ShopFacetValue: components["schemas"]["FacetValue"] & {
            /** @description the shop's name, at most 30 s old */
            label: string;
        };
        FacetValue: {
            value: string;
            count: number;
        };
        PriceFacet: {
            min: number;
            max: number;
            /** @description at most ten adjoining ranges with both ends included, as in price_min and price_max; equal steps where all prices are within a factor of ten, growing ones otherwise. With `group` a row counts in each range in which it has an offer */
            histogram: {
                from: number;
                to: number;
                count: number;
            }[];
        };
        FacetValues: {
            /** @enum {string} */
            name: "category" | "shop_id" | "condition" | "colour" | "size";
            q: string;
            /** @description most frequent first; those of `shop_id` have a label */
            items: (components["schemas"]["ShopFacetValue"] | components["schemas"]["FacetValue"])[];
            /** @description false: values are missing that `facet_limit` did not leave out, or counts are too low */
            exact: boolean;
            /** @description what was searched in place of `query`, as in GET /v1/products */
            corrected: string | null;
            took_ms: number;
            /**
             * @description which engine found the products
             * @enum {string}
             */
            engine: "meilisearch" | "postgres";
            /** @description true: the search engine does not answer, and Postgres replaces it */
            degraded: boolean;
            /** @description what was left out or approximated */
            warnings: string[];
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            /** @description stable, for programs */
            code: string;
            detail: string;
            request_id: string;
            errors: {
                parameter: string;
                message: string;
            }[];
        };
        GoneProblem: components["schemas"]["Problem"] & {
            /** Format: date-time */
            gone_at: string;
        };
        ProductLookupResult: {
            /** @description in the requested order, each once */
            items: components["schemas"]["LookedUpProduct"][];
            /** @description ids without a product: never seen, or deleted */
            not_found: number[];
            /** @description those of not_found that the shop has deleted, and when it was seen */
            gone: {
                item_id: number;
                /** Format: date-time */
                gone_at: string;
            }[];
        };
        LookedUpProduct: components["schemas"]["Product"] & {
            /** @description lowest price above 0 seen in each period that ends now, also one that a single check saw; null if none was seen */
            lows?: {
                all: {
                    price: number;
                    /**
                     * Format: date-time
                     * @description since when it was so low; may be before the period
                     */
                    at: string;
                    /** @description checks in the period that it is based on: both ends of every interval, and otherwise the last one of each day */
                    observations: number;
                } | null;
                "1y": {
                    price: number;
                    /**
                     * Format: date-time
                     * @description since when it was so low; may be before the period
                     */
                    at: string;
                    /** @description checks in the period that it is based on: both ends of every interval, and otherwise the last one of each day */
                    observations: number;
                } | null;
                "90d": {
                    price: number;
                    /**
                     * Format: date-time
                     * @description since when it was so low; may be before the period
                     */
                    at: string;
                    /** @description checks in the period that it is based on: both ends of every interval, and otherwise the last one of each day */
                    observations: number;
                } | null;
                "30d": {
                    price: number;
                    /**
                     * Format: date-time
                     * @description since when it was so low; may be before the period
                     */
                    at: string;
                    /** @description checks in the period that it is based on: both ends of every interval, and otherwise the last one of each day */
                    observations: number;
                } | null;
            };
            /** @description the same product across shops, cheapest in stock first */
            offers?: components["schemas"]["Offer"][];
            offers_coverage?: components["schemas"]["OfferCoverage"];
        };
        Offer: {
            item_id: number;
            /** @description text as the shop wrote it, not HTML */
            title: string;
            shop: {
                shop_id: string;
                shop_name: string;
                /** @description http or https; null where the shop wrote anything else */
                shop_url: string | null;
            };
            /** @description where the product is sold; null if no http or https address is known. `/go/{item_id}` leads there and counts the click */
            url: string | null;
            /** @description tax included; all variations of a product cost the same */
            price: number;
            /** @description of all prices, by ISO 4217 */
            currency: string;
            proper_price: number | null;
            discount_percent: number;
            unit_price: components["schemas"]["UnitPrice"] | null;
            /** @description null: the whole product */
            variation: {
                variation_id: number;
                variation: string;
                variation_identifier: string | null;
            } | null;
            /** @description of the variation; of a whole product the only one that its variations have */
            gtin: string | null;
            /** @description of the variation, if there is one */
            stock: number;
            in_stock: boolean;
            /** @description as in `attributes`, such as used: such offers are of the same product, and may be the cheapest; null: not said */
            condition: string | null;
            match: components["schemas"]["OfferMatch"] | null;
            image: components["schemas"]["Image"] | null;
            /** Format: date-time */
            checked_at: string;
            /** @description seconds since checked_at; not part of the ETag */
            age_s: number;
        };
        /** @description why this is the same product; null: nothing links it to another offer */
        OfferMatch: {
            /**
             * @description gtin: a common barcode; model: the same model number in both texts; text: texts that say the same; manual: decided by people
             * @enum {string}
             */
            kind: "gtin" | "model" | "text" | "manual";
            /** @description how sure that is, 1 for a barcode or a decision of people */
            score: number;
        };
        OfferCoverage: {
            /** @description offers found, including those left out */
            matched: number;
            shown: number;
            /** @description the requested age */
            max_age_s: number | null;
            /** @description how many shown offers were checked within max_age_s; null without max_age_s */
            checked_within: number | null;
            /** @description greatest age shown */
            oldest_s: number | null;
            /** @description out_of_stock only with in_stock=true; gone: deleted by the shop */
            left_out: {
                out_of_stock: number;
                unknown_price: number;
                gone: number;
            };
            /** @description false: there are more than the 1000 (20 where many products are asked for) that are read; these are the cheapest in stock */
            complete: boolean;
        };
        ProductLookup: {
            item_ids: number[];
            /** @description what items carry besides the product: lows as its history, offers (at most 20 of each) as its offers */
            include?: ("lows" | "offers")[];
        };
        ChangeList: {
            items: components["schemas"]["Change"][];
            /** @description the `after` of the next request; always given */
            next: string;
            /** @description how long to wait before it, in seconds; 0: there is more to read now */
            poll_after_s: number;
        };
        Change: {
            /** @description to go on behind this change */
            cursor: string;
            item_id: number;
            /**
             * @description what happened then. listed: part of the first reading of everything that lives; returned: shown again after it was deleted
             * @enum {string}
             */
            kind: "listed" | "added" | "changed" | "deleted" | "returned";
            /** @description its state at the time of this answer, whatever the kind; null: the shop has deleted it */
            product: components["schemas"]["Product"] | null;
        };
        SnapshotManifest: {
            /** @enum {number} */
            version: 1;
            /** @description newest first */
            snapshots: components["schemas"]["Snapshot"][];
        };
        Snapshot: {
            /** Format: date-time */
            made_at: string;
            /** @description the `after` of `GET /v1/changes` for this state */
            cursor: string;
            /** @description products in each of the files */
            rows: number;
            files: {
                file: string;
                /** @enum {string} */
                format: "jsonl.gz" | "parquet";
                bytes: number;
                /** @description of the file, in hexadecimal digits */
                sha256: string;
            }[];
        };
        History: {
            item_id: number;
            /** @description of all prices, by ISO 4217 */
            currency: string;
            /** @enum {string} */
            granularity: "interval" | "day";
            /** @description oldest first; nothing is known between two of them. Empty with `granularity=day` */
            intervals: components["schemas"]["PriceInterval"][];
            /** @description oldest first; a day without a known check is absent. Empty without `granularity=day` */
            days: components["schemas"]["PriceDay"][];
            /**
             * Format: date-time
             * @description there is more before these: give this as `until` for the page before. null: there is not
             */
            next: string | null;
            /** @description lowest price above 0 seen in each period that ends now, also one that a single check saw; null if none was seen */
            lows: {
                all: {
                    price: number;
                    /**
                     * Format: date-time
                     * @description since when it was so low; may be before the period
                     */
                    at: string;
                    /** @description checks in the period that it is based on: both ends of every interval, and otherwise the last one of each day */
                    observations: number;
                } | null;
                "1y": {
                    price: number;
                    /**
                     * Format: date-time
                     * @description since when it was so low; may be before the period
                     */
                    at: string;
                    /** @description checks in the period that it is based on: both ends of every interval, and otherwise the last one of each day */
                    observations: number;
                } | null;
                "90d": {
                    price: number;
                    /**
                     * Format: date-time
                     * @description since when it was so low; may be before the period
                     */
                    at: string;
                    /** @description checks in the period that it is based on: both ends of every interval, and otherwise the last one of each day */
                    observations: number;
                } | null;
                "30d": {
                    price: number;
                    /**
                     * Format: date-time
                     * @description since when it was so low; may be before the period
                     */
                    at: string;
                    /** @description checks in the period that it is based on: both ends of every interval, and otherwise the last one of each day */
                    observations: number;
                } | null;
            };
        };
        PriceInterval: {
            price: number;
            proper_price: number | null;
            stock: number;
            /** Format: date-time */
            first_seen: string;
            /** Format: date-time */
            last_confirmed: string;
        };
        PriceDay: {
            /**
             * Format: date
             * @description of the marketplace's calendar
             */
            day: string;
            /** @description lowest price confirmed on this day; null: the shop stated none */
            lowest_price: number | null;
            /** @description at the last check of the day, as proper_price; null: the shop stated none */
            price: number | null;
            proper_price: number | null;
            stock_min: number;
            stock_max: number;
            /** @description known checks on this day: those at both ends of an interval, and the last one of the day */
            confirmed: number;
            /** Format: date-time */
            last_confirmed: string;
        };
        OffersLookupResult: {
            /** @description in the requested order, each once */
            items: components["schemas"]["GtinOffers"][];
            /** @description barcodes that no product has or had, as they were sent */
            not_found: string[];
        };
        GtinOffers: components["schemas"]["Offers"] & {
            /** @description as it was sent */
            gtin: string;
        };
        Offers: {
            /** @description what identifies the offers as the same product, see also `match` of each; null: nothing */
            match: {
                /**
                 * @description gtin: barcodes, where the product has some, and its group, if there is one; group: its group alone
                 * @enum {string}
                 */
                by: "gtin" | "group";
                gtins: string[];
            } | null;
            /** @description why there is no match, for people; null if there is one */
            match_note: string | null;
            coverage: components["schemas"]["OfferCoverage"];
            /** @description one per product and variation, cheapest in stock first */
            offers: components["schemas"]["Offer"][];
        };
        OffersLookup: {
            gtins: string[];
        };
        ProductOffers: components["schemas"]["Offers"] & {
            group: components["schemas"]["ProductGroup"] | null;
            /** @description products that resemble it, most alike first, and may or may not be the same: never compare their prices as those of one product. At most 12, with known prices; `match` says how alike they are */
            similar: components["schemas"]["Offer"][];
        };
        Group: {
            group_id: number;
            /** @description of its most popular product: text as the shop wrote it, not HTML */
            title: string;
            image: components["schemas"]["Image"] | null;
            /** @description of all prices, by ISO 4217 */
            currency: string;
            /** @description of its offers in stock, or of all if none is; an offer with a `condition` (used, refurbished …) counts only if all of these have one; null: no price is known */
            lowest_price: number | null;
            /** @description of those of them with a `condition`; null: there is none. A condition that no title tells is not known */
            lowest_used_price: number | null;
            /** @description lowest price of any of `offers` in each period that ends now, of those with a `condition` only if every one has one; null if none was seen */
            lows: {
                all: {
                    price: number;
                    /**
                     * Format: date-time
                     * @description since when it was so low; may be before the period
                     */
                    at: string;
                    /** @description checks in the period that it is based on: both ends of every interval, and otherwise the last one of each day */
                    observations: number;
                } | null;
                "1y": {
                    price: number;
                    /**
                     * Format: date-time
                     * @description since when it was so low; may be before the period
                     */
                    at: string;
                    /** @description checks in the period that it is based on: both ends of every interval, and otherwise the last one of each day */
                    observations: number;
                } | null;
                "90d": {
                    price: number;
                    /**
                     * Format: date-time
                     * @description since when it was so low; may be before the period
                     */
                    at: string;
                    /** @description checks in the period that it is based on: both ends of every interval, and otherwise the last one of each day */
                    observations: number;
                } | null;
                "30d": {
                    price: number;
                    /**
                     * Format: date-time
                     * @description since when it was so low; may be before the period
                     */
                    at: string;
                    /** @description checks in the period that it is based on: both ends of every interval, and otherwise the last one of each day */
                    observations: number;
                } | null;
            };
            coverage: components["schemas"]["OfferCoverage"] & unknown;
            /** @description one per product, cheapest in stock first */
            offers: components["schemas"]["Offer"][];
            /** @description products that resemble it, most alike first, and may or may not be the same: never compare their prices as those of one product. At most 12, with known prices; `match` says how alike they are */
            similar: components["schemas"]["Offer"][];
        };
        QueuedRefresh: {
            item_id: number;
            /** @enum {string} */
            status: "queued";
            /** @description estimated seconds until it is checked */
            eta_s: number;
            /**
             * Format: date-time
             * @description last check so far
             */
            checked_at: string;
        };
        PriceDropList: {
            /** Format: date-time */
            since: string;
            /** @description of all prices, by ISO 4217 */
            currency: string;
            page: number;
            per_page: number;
            /** @description there is another page */
            more: boolean;
            /** @description false: too many prices fell to examine all; these are among the newest (biggest) of them */
            complete: boolean;
            items: components["schemas"]["PriceDrop"][];
        };
        PriceDrop: {
            price_before: number;
            /** @description the lower price */
            price: number;
            /** @description of price_before, rounded down */
            drop_percent: number;
            /**
             * Format: date-time
             * @description first check with the lower price
             */
            seen_at: string;
            /**
             * Format: date-time
             * @description last check with the former price; the price fell between the two checks
             */
            last_seen_before_at: string;
            /** @description the product still has this price */
            current: boolean;
            product: components["schemas"]["Product"] & unknown;
        };
        ShopList: {
            found: number;
            page: number;
            per_page: number;
            items: components["schemas"]["Shop"][];
        };
        Shop: {
            shop_id: string;
            shop_name: string;
            /** @description http or https; null where the shop wrote anything else */
            shop_url: string | null;
            /** @description products not proven deleted */
            products: number;
            /** Format: date-time */
            first_seen_at: string;
            /** Format: date-time */
            checked_at: string;
        };
        CategoryList: {
            found: number;
            page: number;
            per_page: number;
            items: components["schemas"]["Category"][];
        };
        Category: {
            category: string;
            /** @description products not proven deleted */
            products: number;
            /** @description how many of them are in stock */
            in_stock: number;
        };
        Status: {
            /** @description products not proven deleted */
            products: number;
            products_by_state: {
                live: number;
                missing: number;
                gone: number;
            };
            shops: number;
            /** @description seconds since products were last verified */
            freshness: {
                p50_s: number | null;
                p95_s: number | null;
                oldest_s: number | null;
                /**
                 * @description which Postgres answered; only if there is a replica
                 * @enum {string}
                 */
                read_from?: "primary" | "replica";
                /** @description the replica may lack what was written in so many seconds before the answer; null: not known. Only if it answered */
                replica_lag_s?: number | null;
                /** @description expected share of stored products that equal the upstream now, weighted by importance, from learned change rates */
                expected_share: number | null;
            };
            /** @description estimated share of the upstream's products that is stored, and its standard error: the known part of the latest first pages of proposed keywords; an upper estimate */
            coverage: {
                share: number | null;
                error: number | null;
                shown: number;
            };
            /** @description null before the first index */
            mirror_lag_s: number | null;
            budget: {
                day: string;
                limit: number;
                used: number;
                remaining: number;
                /** Format: date-time */
                resets_at: string;
            };
            /** @description false while the crawler is paused or waits */
            crawling: boolean;
        };
        Suggestions: {
            q: string;
            items: components["schemas"]["Suggestion"][];
            took_ms: number;
            /**
             * @description which engine found the products
             * @enum {string}
             */
            engine: "meilisearch" | "postgres";
            /** @description true: the search engine does not answer, and Postgres replaces it */
            degraded: boolean;
            /** @description what was left out or approximated */
            warnings: string[];
        };
        Suggestion: {
            /** @description to search for, unchanged */
            text: string;
            /** @enum {string} */
            kind: "words" | "category" | "shop";
            /** @description for `category` of the search */
            category?: string;
            /** @description for `shop_id` of the search */
            shop_id?: string;
        };
        WebhookList: {
            items: components["schemas"]["Webhook"][];
        };
        Webhook: {
            webhook_id: number;
            url: string;
            enabled: boolean;
            /**
             * @description gone: it answered 410; failing: every attempt of five days failed
             * @enum {string|null}
             */
            disabled_reason: "owner" | "gone" | "failing" | null;
            /** Format: date-time */
            disabled_at: string | null;
            /**
             * Format: date-time
             * @description every attempt since then has failed; null: the last one succeeded
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description until then the secret before the last rotation signs as well
             */
            old_secret_until: string | null;
            /** Format: date-time */
            created_at: string;
        };
        WebhookWithSecret: {
            webhook_id: number;
            url: string;
            enabled: boolean;
            /**
             * @description gone: it answered 410; failing: every attempt of five days failed
             * @enum {string|null}
             */
            disabled_reason: "owner" | "gone" | "failing" | null;
            /** Format: date-time */
            disabled_at: string | null;
            /**
             * Format: date-time
             * @description every attempt since then has failed; null: the last one succeeded
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description until then the secret before the last rotation signs as well
             */
            old_secret_until: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description shown in this answer alone */
            secret: string;
        };
        NewWebhook: {
            url: string;
        };
        WebhookChange: {
            url?: string;
            /** @description false: messages wait; true: also one that was disabled goes on */
            enabled?: boolean;
        };
        WebhookTest: {
            delivery_id: number;
            message_id: string;
        };
        DeliveryList: {
            /** @description newest first */
            items: components["schemas"]["Delivery"][];
            /** @description as `before` it gives the page after this one; null: this is the last */
            next: number | null;
        };
        Delivery: {
            delivery_id: number;
            webhook_id: number;
            /** @description the webhook-id header, the same for every attempt and replay */
            message_id: string;
            /** @description null: a test message */
            event_id: number | null;
            type: string;
            /**
             * @description dead: given up; it can be replayed
             * @enum {string}
             */
            state: "waiting" | "delivered" | "dead";
            attempts: number;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** Format: date-time */
            last_attempt_at: string | null;
            /** @description null: no answer */
            last_status: number | null;
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
        };
        MeilisearchMultiResult: {
            results: components["schemas"]["MeilisearchMultiPart"][];
        };
        MeilisearchMultiPart: {
            indexUid: string;
            hits: components["schemas"]["MeilisearchHit"][];
            query: string;
            processingTimeMs: number;
            offset?: number;
            /** @description as asked, but at most 200 */
            limit?: number;
            estimatedTotalHits?: number;
            /** @description instead of `offset` if pages were asked for */
            page?: number;
            hitsPerPage?: number;
            totalPages?: number;
            totalHits?: number;
            facetDistribution?: {
                [key: string]: {
                    [key: string]: number;
                };
            };
            facetStats?: {
                [key: string]: {
                    min: number;
                    max: number;
                };
            };
        };
        /** @description what `attributesToRetrieve` names; prices and stock are read from the catalogue when the search is answered */
        MeilisearchHit: {
            id?: number;
            item_id?: number;
            title?: string;
            detail?: string;
            /** @description where the product is sold; null if no http or https address is known. `/go/{item_id}` leads there and counts the click */
            url?: string | null;
            price?: number;
            /** @description of all prices, by ISO 4217 */
            currency?: string;
            proper_price?: number | null;
            discount_percent?: number;
            stock?: number;
            in_stock?: boolean;
            on_sale?: boolean;
            identifier?: string | null;
            gtins?: string[];
            /** @description http or https; null where the shop wrote anything else */
            image?: string | null;
            images?: {
                /** @description http or https; null where the shop wrote anything else */
                76?: string | null;
                /** @description http or https; null where the shop wrote anything else */
                146?: string | null;
                /** @description http or https; null where the shop wrote anything else */
                300?: string | null;
                /** @description http or https; null where the shop wrote anything else */
                500?: string | null;
                /** @description http or https; null where the shop wrote anything else */
                640?: string | null;
                /** @description http or https; null where the shop wrote anything else */
                origin?: string | null;
                /** @description http or https; null where the shop wrote anything else */
                sp_480?: string | null;
                /** @description http or https; null where the shop wrote anything else */
                sp_640?: string | null;
            }[];
            shop_id?: string;
            shop_name?: string;
            /** @description http or https; null where the shop wrote anything else */
            shop_url?: string | null;
            categories?: string[];
            /** @description the same as `categories` */
            category?: string[];
            popularity?: number;
            modified?: number;
            /** @description Unix seconds */
            first_seen?: number;
            /** Format: date-time */
            checked_at?: string;
            age_s?: number;
            /** @description the retrieved, highlighted and cropped attributes as texts, with matches between the tags; if these are markup, the rest is escaped HTML */
            _formatted?: {
                [key: string]: unknown;
            };
            /** @description in bytes */
            _matchesPosition?: {
                [key: string]: {
                    start: number;
                    length: number;
                    indices?: number[];
                }[];
            };
            _rankingScore?: number;
            _rankingScoreDetails?: {
                [key: string]: unknown;
            };
            /** @description there are none */
            _vectors?: Record<string, never>;
        };
        MeilisearchFederatedResult: {
            hits: components["schemas"]["MeilisearchFederatedHit"][];
            processingTimeMs: number;
            offset: number;
            limit: number;
            estimatedTotalHits: number;
            facetsByIndex?: {
                [key: string]: {
                    distribution: {
                        [key: string]: {
                            [key: string]: number;
                        };
                    };
                    stats: {
                        [key: string]: {
                            min: number;
                            max: number;
                        };
                    };
                };
            };
            /** @description with `mergeFacets` */
            facetDistribution?: {
                [key: string]: {
                    [key: string]: number;
                };
            };
            facetStats?: {
                [key: string]: {
                    min: number;
                    max: number;
                };
            };
        };
        /** @description what `attributesToRetrieve` names; prices and stock are read from the catalogue when the search is answered */
        MeilisearchFederatedHit: components["schemas"]["MeilisearchHit"] & {
            _federation: {
                indexUid: string;
                queriesPosition: number;
                weightedRankingScore: number;
            };
        };
        MeilisearchError: {
            message: string;
            /** @description one of Meilisearch's error codes */
            code: string;
            /** @enum {string} */
            type: "invalid_request" | "auth" | "system" | "internal";
            link: string;
        };
        MeilisearchMultiQuery: {
            queries: {
                indexUid: string;
                q?: string | null;
                vector?: number[] | null;
                media?: unknown;
                hybrid?: {
                    semanticRatio?: number;
                    /** @description there is none: searches here go by words */
                    embedder: string;
                } | null;
                offset?: number | null;
                limit?: number | null;
                page?: number | null;
                hitsPerPage?: number | null;
                attributesToRetrieve?: string[] | null;
                retrieveVectors?: boolean;
                attributesToCrop?: string[] | null;
                cropLength?: number;
                attributesToHighlight?: string[] | null;
                showMatchesPosition?: boolean;
                showRankingScore?: boolean;
                showRankingScoreDetails?: boolean;
                /** @description an expression of Meilisearch's filter language, or a list: all entries of it must hold, and one entry of each inner list */
                filter?: unknown;
                sort?: string[] | null;
                distinct?: string | null;
                facets?: string[] | null;
                highlightPreTag?: string;
                highlightPostTag?: string;
                cropMarker?: string;
                /** @enum {string} */
                matchingStrategy?: "last" | "all" | "frequency";
                attributesToSearchOn?: string[] | null;
                rankingScoreThreshold?: number | null;
                /** @description texts are Japanese */
                locales?: ("ja" | "jpn")[] | null;
                federationOptions?: {
                    weight?: number;
                    remote?: string | null;
                    queryPosition?: number | null;
                } | null;
            }[];
            /** @description the hits of all queries in one list, weighted by the queries' `federationOptions` */
            federation?: {
                limit?: number;
                offset?: number;
                facetsByIndex?: {
                    [key: string]: string[] | null;
                };
                mergeFacets?: {
                    maxValuesPerFacet?: number | null;
                } | null;
            } | null;
        };
        MeilisearchResult: {
            hits: components["schemas"]["MeilisearchHit"][];
            query: string;
            processingTimeMs: number;
            offset?: number;
            /** @description as asked, but at most 200 */
            limit?: number;
            estimatedTotalHits?: number;
            /** @description instead of `offset` if pages were asked for */
            page?: number;
            hitsPerPage?: number;
            totalPages?: number;
            totalHits?: number;
            facetDistribution?: {
                [key: string]: {
                    [key: string]: number;
                };
            };
            facetStats?: {
                [key: string]: {
                    min: number;
                    max: number;
                };
            };
        };
        MeilisearchQuery: {
            q?: string | null;
            vector?: number[] | null;
            media?: unknown;
            hybrid?: {
                semanticRatio?: number;
                /** @description there is none: searches here go by words */
                embedder: string;
            } | null;
            offset?: number;
            limit?: number;
            page?: number | null;
            hitsPerPage?: number | null;
            attributesToRetrieve?: string[] | null;
            retrieveVectors?: boolean;
            attributesToCrop?: string[] | null;
            cropLength?: number;
            attributesToHighlight?: string[] | null;
            showMatchesPosition?: boolean;
            showRankingScore?: boolean;
            showRankingScoreDetails?: boolean;
            /** @description an expression of Meilisearch's filter language, or a list: all entries of it must hold, and one entry of each inner list */
            filter?: unknown;
            sort?: string[] | null;
            distinct?: string | null;
            facets?: string[] | null;
            highlightPreTag?: string;
            highlightPostTag?: string;
            cropMarker?: string;
            /** @enum {string} */
            matchingStrategy?: "last" | "all" | "frequency";
            attributesToSearchOn?: string[] | null;
            rankingScoreThreshold?: number | null;
            /** @description texts are Japanese */
            locales?: ("ja" | "jpn")[] | null;
        };
        MeilisearchFacetResult: {
            facetHits: {
                value: string;
                count: number;
            }[];
            facetQuery: string | null;
            processingTimeMs: number;
        };
        MeilisearchFacetQuery: {
            q?: string | null;
            vector?: number[] | null;
            media?: unknown;
            hybrid?: {
                semanticRatio?: number;
                /** @description there is none: searches here go by words */
                embedder: string;
            } | null;
            /** @description has no effect here */
            offset?: unknown;
            /** @description has no effect here */
            limit?: unknown;
            /** @description has no effect here */
            page?: unknown;
            /** @description has no effect here */
            hitsPerPage?: unknown;
            /** @description has no effect here */
            attributesToRetrieve?: unknown;
            /** @description has no effect here */
            retrieveVectors?: unknown;
            /** @description has no effect here */
            attributesToCrop?: unknown;
            /** @description has no effect here */
            cropLength?: unknown;
            /** @description has no effect here */
            attributesToHighlight?: unknown;
            /** @description has no effect here */
            showMatchesPosition?: unknown;
            /** @description has no effect here */
            showRankingScore?: unknown;
            /** @description has no effect here */
            showRankingScoreDetails?: unknown;
            /** @description an expression of Meilisearch's filter language, or a list: all entries of it must hold, and one entry of each inner list */
            filter?: unknown;
            /** @description has no effect here */
            sort?: unknown;
            /** @description has no effect here */
            distinct?: unknown;
            /** @description has no effect here */
            facets?: unknown;
            /** @description has no effect here */
            highlightPreTag?: unknown;
            /** @description has no effect here */
            highlightPostTag?: unknown;
            /** @description has no effect here */
            cropMarker?: unknown;
            /** @enum {string} */
            matchingStrategy?: "last" | "all" | "frequency";
            attributesToSearchOn?: string[] | null;
            rankingScoreThreshold?: number | null;
            /** @description texts are Japanese */
            locales?: ("ja" | "jpn")[] | null;
            facetName: string;
            facetQuery?: string | null;
            exhaustiveFacetCount?: boolean | null;
        };
        MeilisearchHealth: {
            /** @enum {string} */
            status: "available";
        };
        SavedSearchList: {
            items: components["schemas"]["SavedSearch"][];
            /** @description the `after` of the next page; null: this is the last */
            next: number | null;
        };
        SavedSearch: {
            saved_search_id: number;
            name: string;
            query: components["schemas"]["SavedQuery"];
            rules: components["schemas"]["AlertRule"][];
            webhook_id: number | null;
            min_change_percent: number;
            cooldown_s: number;
            daily_max: number;
            confirm_factor: number;
            paused: boolean;
            /** Format: date-time */
            expires_at: string | null;
            /** @description why it is not judged; null: it is. Save the query anew */
            fault: string | null;
            /** @description told since it was made */
            events: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        SavedQuery: {
            q?: string;
            shop_id?: string[];
            exclude_shop_id?: string[];
            category?: string[];
            /** @description as GTIN-14 */
            gtin?: string[];
            price_min?: number;
            price_max?: number;
            in_stock?: boolean;
            on_sale?: boolean;
            item_id?: number;
            group_id?: number;
        };
        AlertRule: {
            /** @enum {string} */
            kind: "price_below";
            price: number;
        } | {
            /** @enum {string} */
            kind: "price_drop";
            percent: number;
        } | {
            /** @enum {string} */
            kind: "price_rise";
            percent?: number;
        } | {
            /** @enum {string} */
            kind: "new_low";
            /** @enum {string} */
            window: "30d" | "90d" | "1y" | "all";
        } | {
            /** @enum {string} */
            kind: "new_match";
        } | {
            /** @enum {string} */
            kind: "back_in_stock";
        } | {
            /** @enum {string} */
            kind: "gone";
        };
        CreatedSavedSearch: components["schemas"]["SavedSearch"] & {
            feeds: components["schemas"]["FeedAddresses"];
        };
        /** @description addresses on this server, for feed readers. Who knows one can read the events; they are shown in this answer alone */
        FeedAddresses: {
            atom: string;
            json: string;
        };
        NewSavedSearch: {
            name: string;
            /** @description the parameters of `GET /v1/products`, or item_id, group_id, gtin. Lists also as one value, numbers and booleans also as texts. Parameters that only order or show what is found (`sort`, `page`, `fields` and the like) are left out. Words: every one of them, whole, in one of the forms that a search knows (plural, units, spellings); near misses do not count. At least one of q, shop_id, category, gtin, price_min, price_max, item_id, group_id is needed */
            query: {
                q?: string;
                shop_id?: string[];
                exclude_shop_id?: string[];
                category?: string[];
                gtin?: string[];
                price_min?: number;
                price_max?: number;
                in_stock?: boolean;
                on_sale?: boolean;
                item_id?: number;
                group_id?: number;
            };
            /** @description what to tell of. price_below: the price became `price` or less. price_drop, price_rise: it moved by so many percent in one observation. new_low: lower than all known prices of the `window` before. back_in_stock. new_match: a product that did not match before. gone: the shop deleted it. Each is told when it begins, not while it lasts */
            rules: components["schemas"]["AlertRule"][];
            /**
             * @description where events are sent at once; null: nowhere
             * @default null
             */
            webhook_id: number | null;
            /**
             * @description smaller moves of the price are no news for price_drop, price_rise and new_low
             * @default 1
             */
            min_change_percent: number;
            /**
             * @description after an event, the same rule says nothing of the same product for so many seconds
             * @default 3600
             */
            cooldown_s: number;
            /**
             * @description events of a day of the marketplace's calendar; further ones are `is_quiet`: not sent at once, but in lists and feeds
             * @default 100
             */
            daily_max: number;
            /**
             * @description a price that becomes more than so many times as high or low is told only when it is seen again, because it may be a slip
             * @default 5
             */
            confirm_factor: number;
            /** @default false */
            paused: boolean;
            /** Format: date-time */
            expires_at?: string | null;
            /**
             * @description judge the present products as if they were new, once; only with item_id, group_id or gtin. false: only what changes from now on is told
             * @default false
             */
            tell_present: boolean;
        };
        SavedSearchChange: {
            name?: string;
            /** @description the parameters of `GET /v1/products`, or item_id, group_id, gtin. Lists also as one value, numbers and booleans also as texts. Parameters that only order or show what is found (`sort`, `page`, `fields` and the like) are left out. Words: every one of them, whole, in one of the forms that a search knows (plural, units, spellings); near misses do not count. At least one of q, shop_id, category, gtin, price_min, price_max, item_id, group_id is needed */
            query?: {
                q?: string;
                shop_id?: string[];
                exclude_shop_id?: string[];
                category?: string[];
                gtin?: string[];
                price_min?: number;
                price_max?: number;
                in_stock?: boolean;
                on_sale?: boolean;
                item_id?: number;
                group_id?: number;
            };
            /** @description what to tell of. price_below: the price became `price` or less. price_drop, price_rise: it moved by so many percent in one observation. new_low: lower than all known prices of the `window` before. back_in_stock. new_match: a product that did not match before. gone: the shop deleted it. Each is told when it begins, not while it lasts */
            rules?: components["schemas"]["AlertRule"][];
            /** @description where events are sent at once; null: nowhere */
            webhook_id?: number | null;
            /** @description smaller moves of the price are no news for price_drop, price_rise and new_low */
            min_change_percent?: number;
            /** @description after an event, the same rule says nothing of the same product for so many seconds */
            cooldown_s?: number;
            /** @description events of a day of the marketplace's calendar; further ones are `is_quiet`: not sent at once, but in lists and feeds */
            daily_max?: number;
            /** @description a price that becomes more than so many times as high or low is told only when it is seen again, because it may be a slip */
            confirm_factor?: number;
            paused?: boolean;
            /** Format: date-time */
            expires_at?: string | null;
        };
        RenewedFeeds: {
            feeds: components["schemas"]["FeedAddresses"];
        };
        AlertEventList: {
            items: components["schemas"]["AlertEvent"][];
            /** @description the `after` of the next request; always given */
            next: string;
            /** @description how long to wait before it, in seconds; 0: there is more to read now */
            poll_after_s: number;
        };
        AlertEvent: {
            /** @description to go on behind this event */
            cursor: string;
            event_id: number;
            /** @enum {string} */
            kind: "new_match" | "price_below" | "price_drop" | "new_low" | "back_in_stock" | "price_rise" | "gone";
            saved_search_id: number;
            /** @description null: deleted since */
            saved_search_name: string | null;
            item_id: number;
            /** @description of the product after the change; rises */
            ver: number;
            /** @description where the product is sold */
            url: string | null;
            /**
             * Format: date-time
             * @description when the event was written
             */
            at: string;
            /**
             * Format: date-time
             * @description when the change was stored
             */
            changed_at: string;
            /** @description beyond `daily_max`: not sent at once */
            is_quiet: boolean;
            data: components["schemas"]["AlertEventData"];
        };
        AlertEventData: {
            title: string;
            shop_id: string;
            /** @description after the change; null: deleted */
            price: number | null;
            /** @description before it, of a price that jumped: before the jump; null: new */
            prev_price: number | null;
            stock: number | null;
            prev_stock: number | null;
            /** @description price_below: the rule's price */
            target?: number;
            /** @description price_drop, price_rise: how much it moved, above 0 */
            percent?: number;
            /**
             * @description new_low
             * @enum {string}
             */
            window?: "30d" | "90d" | "1y" | "all";
            /** @description new_low: the lowest price known before */
            low?: number;
            /**
             * Format: date-time
             * @description new_low: when that was first seen
             */
            low_at?: string;
        };
        JsonFeed: {
            version: string;
            title: string;
            /** @enum {string} */
            language: "ja" | "en";
            items: {
                id: string;
                title: string;
                content_text: string;
                url: string;
                /** Format: date-time */
                date_published: string;
                tags: ("new_match" | "price_below" | "price_drop" | "new_low" | "back_in_stock" | "price_rise" | "gone")[];
            }[];
        };
        Budget: {
            day: string;
            timezone: string;
            /** @description the present limit of all accounts, compared at every call; may be less than used after it was lowered */
            limit: number;
            used: number;
            /** @description 0 once the limit is reached or the upstream refused */
            remaining: number;
            /** @description expected calls: fewer than the limit after the upstream ended a day early, until a later day allows more */
            expected: number;
            /** Format: date-time */
            resets_at: string;
            by_purpose: {
                discovery: number;
                revalidation: number;
                on_demand: number;
            };
            /**
             * Format: date-time
             * @description once every account is refused for its day
             */
            upstream_refused_at: string | null;
            /** @description each upstream account; day, timezone and resets_at above are those of the first */
            accounts: components["schemas"]["BudgetAccount"][];
        };
        BudgetAccount: {
            name: string;
            day: string;
            timezone: string;
            limit: number;
            used: number;
            /** @description 0 while the upstream refuses the account */
            remaining: number;
            expected: number;
            /** Format: date-time */
            resets_at: string;
            by_purpose: {
                discovery: number;
                revalidation: number;
                on_demand: number;
            };
            /** Format: date-time */
            upstream_refused_at: string | null;
            /** @description the upstream refused its credentials or its hour: one call after `until` tries again; other accounts go on */
            paused: {
                /** Format: date-time */
                until: string;
                code: string;
                failures: number;
                reason: string;
            } | null;
        };
        CallList: {
            items: components["schemas"]["Call"][];
            /** @description `before` of the next page; null on the last */
            next: number | null;
        };
        Call: {
            id: number;
            day: string;
            /** @description the upstream account that paid for it */
            account: string;
            purpose: string;
            operation: string;
            job: string;
            /** @description never with credentials */
            params: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            reserved_at: string;
            /** Format: date-time */
            finished_at: string | null;
            /** @description ok, or the code of the failure; null: unknown, but counted */
            outcome: string | null;
            error: string | null;
            duration_ms: number | null;
            found: number | null;
            asked: number | null;
            returned: number | null;
            created: number | null;
            changed: number | null;
            unchanged: number | null;
            gone: number | null;
            quarantined: number | null;
            duplicates: number | null;
        };
        CallDetail: components["schemas"]["Call"] & {
            /** @description those it asked for by id, and those it proved deleted; of the items of a search no list is kept */
            products: {
                item_id: number;
                /** @description null: never seen */
                title: string | null;
                shop_name: string | null;
                /** @description this call proved that it is gone */
                deleted: boolean;
                /** @description null: price and stock did not change */
                change: {
                    price: number;
                    stock: number;
                    /** @description null: its first price */
                    prev_price: number | null;
                    prev_stock: number | null;
                } | null;
            }[];
            quarantine: {
                id: number;
                item_id: number | null;
                reason: string;
            }[];
        };
        FailureReport: {
            steps: components["schemas"]["FailureStep"][];
        };
        FailureStep: {
            /** @description of the upstream's calendar; null for an hour */
            day: string | null;
            /**
             * Format: date-time
             * @description its beginning; null for a day
             */
            hour: string | null;
            calls: number;
            /** @description most first; calls with unknown outcome are no failures */
            failures: {
                code: string;
                calls: number;
            }[];
        };
        JobList: {
            items: components["schemas"]["Job"][];
        };
        Job: {
            name: string;
            cron: string;
            enabled: boolean;
            settings: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            updated_at: string;
            /** @description three; none while it is disabled */
            next_runs: string[];
            active_run: components["schemas"]["JobRun"] | null;
            /** @description the last one that ended */
            last_run: components["schemas"]["JobRun"] | null;
        };
        JobRun: {
            id: number;
            job: string;
            /** @enum {string} */
            trigger: "cron" | "manual" | "startup";
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            finished_at: string | null;
            /** @description done, failed, or stopped by ops; null while it is active */
            outcome: string | null;
            error: string | null;
            calls: number;
        };
        /** @description cron: five fields, minute to day of week, in the upstream's time zone */
        JobChange: {
            cron?: string;
            enabled?: boolean;
            /** @description merged into the job's settings */
            settings?: {
                [key: string]: number;
            };
        };
        QueryList: {
            items: components["schemas"]["Query"][];
        };
        Query: {
            id: number;
            q: string;
            shop_id: string | null;
            /** @enum {string} */
            origin: "ops" | "proposed";
            /** @description seed, ops, or the rule that proposed it */
            source: string;
            /** @description why it was proposed */
            reason: string | null;
            enabled: boolean;
            /**
             * @description trial: its next page decides; backing_off: it yielded too little and waits until next_check_at, twice as long each time
             * @enum {string}
             */
            state: "trial" | "active" | "backing_off" | "paused";
            /**
             * Format: date-time
             * @description no check before this time; null: as soon as it is worth a call
             */
            next_check_at: string | null;
            /** @description trials in a row that yielded too little */
            failed_trials: number;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description end of the last full scan
             */
            scanned_at: string | null;
            /**
             * Format: date-time
             * @description last check for new products
             */
            newest_checked_at: string | null;
            /**
             * Format: date-time
             * @description last check for changed products
             */
            feed_checked_at: string | null;
            /** @description hits upstream at the last call */
            found: number | null;
            /** @description how many of these are stored: those that its full scan has passed, and an estimate for the rest from the share of known ones */
            held: number | null;
            /** @description position where the upstream ends the list before its own count */
            ends_at: number | null;
            calls: number;
            items_seen: number;
            items_created: number;
            /** @description new products per call */
            yield_per_call: number | null;
            last_error: string | null;
        };
        NewQuery: {
            q: string;
            shop_id?: string | null;
        };
        QueryChange: {
            enabled: boolean;
        };
        ChangedRows: {
            /** @description rows that are no longer there are left out */
            changed: number;
        };
        QueriesChange: {
            ids: number[];
            /** @enum {string} */
            change: "enable" | "disable" | "remove";
        };
        AddedQueries: {
            added: number;
            known: number;
        };
        NewQueries: {
            texts: string[];
            shop_id?: string | null;
        };
        ZeroResults: {
            items: components["schemas"]["ZeroResultQuery"][];
        };
        ZeroResultQuery: {
            /** @description the words in one case, width and spacing */
            q: string;
            times: number;
            /** @description different visitors of a day, summed over the days */
            visitors: number;
            /** Format: date-time */
            last_at: string;
            /** @description the keyword with these words; null: not proposed yet */
            keyword: {
                id: number;
                source: string;
                /** @enum {string} */
                state: "trial" | "active" | "backing_off" | "paused" | "removed";
            } | null;
        };
        Plan: {
            calls: {
                job: string;
                /** @enum {string} */
                operation: "search" | "refresh";
                params: {
                    [key: string]: unknown;
                };
                worth: number | null;
                why: string;
            }[];
            plan_report: components["schemas"]["PlanReport"];
        };
        PlanReport: {
            fresh_now: number | null;
            products: number;
            calls_per_day: number;
            /** @description how full recent refresh calls were, 1 for 50 ids */
            fill: number;
            forecast: {
                /** @description share of time in which a stored product equals the upstream, weighted by importance */
                freshness: number;
                /** @description freshness a call gains, in weight-days */
                price: number;
                /** @description every product is checked within this time */
                bound_days: number;
                max_age_calls_per_day: number;
                promise: {
                    min_weight: number;
                    share_of_products: number;
                    checked_within_h_p95: number;
                }[];
            } | null;
            target_calls_per_day: number | null;
            warnings: string[];
        };
        WhatIf: {
            calls_per_day?: number;
            max_age_days?: number;
            shop_weights?: {
                [key: string]: number;
            };
            target?: {
                min_weight: number;
                hours: number;
            };
        };
        CrawlState: {
            paused: boolean;
            /** @description why the crawler waits after failures of the upstream; `anomalous_answers`: its answers do not fit together, see `reason` */
            block: {
                /** Format: date-time */
                until: string;
                code: string;
                /** @description in a row */
                failures: number;
                reason: string;
            } | null;
            /**
             * Format: date-time
             * @description ops accepted the anomalous answers
             */
            believed_until: string | null;
        };
        BackoffList: {
            items: components["schemas"]["Backoff"][];
            /** @description `after` of the next page; null on the last */
            next: string | null;
            /** @description of all subjects in backoff, without the filter; each kind is counted up to 10000 */
            totals: {
                keyword: number;
                page: number;
                shop: number;
                product: number;
            };
        };
        Backoff: {
            id: number;
            /**
             * @description keyword: one order of its list; page: a position whose calls all fail; shop: its refreshes; product: one that fails alone (isolated), or without usable answers
             * @enum {string}
             */
            kind: "keyword" | "page" | "shop" | "product";
            /** @description in words */
            subject: string;
            /** @description of a keyword or page */
            query_id: number | null;
            q: string | null;
            /** @enum {string|null} */
            order: "id-ascending" | "id-descending" | "modified" | "popular" | null;
            /** @description of a page: `start` as in the ledger */
            position: number | null;
            shop_id: string | null;
            shop_name: string | null;
            item_id: number | null;
            title: string | null;
            /** @description in a row */
            failures: number;
            /** @description of the last failure, as in the ledger */
            code: string;
            reason: string;
            /** @description the last call that failed */
            call_id: number;
            /** Format: date-time */
            first_failed_at: string;
            /** Format: date-time */
            failed_at: string;
            /**
             * Format: date-time
             * @description no call is made for it before this time
             */
            retry_at: string;
            /** @description the product is requested alone, so that it does not block others */
            isolated: boolean;
            /** @description of the products or positions that failed together, how many are tried next, and how many after them */
            halving: {
                next: number;
                rest: number;
            } | null;
        };
        RowIds: {
            ids: number[];
        };
        Mirror: {
            serving: components["schemas"]["MirrorIndex"] | null;
            building: components["schemas"]["MirrorIndex"] | null;
            /** @description the last consistency check of index and database */
            last_verify: {
                index_uid: string;
                /** Format: date-time */
                started_at: string;
                /** Format: date-time */
                finished_at: string;
                /** @description ranges of about 1,000 products */
                buckets: number;
                documents: number;
                missing: number;
                stale: number;
                stray: number;
                repaired: number;
            } | null;
        };
        MirrorIndex: {
            index_uid: string;
            /** @description age of the oldest change that is not searchable yet */
            lag_s: number;
            clean: number;
            dirty: number;
            dead_lettered: number;
            /** @description documents that the engine refuses, newest first, at most 100 */
            dead_lettered_items: {
                item_id: number;
                /** Format: date-time */
                since: string;
                error: string | null;
            }[];
            /** @description if high while the engine is healthy, the engine is stuck */
            oldest_task_s: number;
        };
        MirrorRebuild: {
            index_uid: string;
        };
        DeadLetterList: {
            items: components["schemas"]["DeadLetter"][];
            /** @description `after` of the next page; null on the last */
            next: number | null;
        };
        DeadLetter: {
            item_id: number;
            title: string;
            shop_id: string;
            shop_name: string;
            /** Format: date-time */
            since: string;
            error: string | null;
        };
        Placement: {
            /** @description on how many hosts each product is to be */
            copies: number;
            /** @description parts of the catalogue that move as one */
            buckets: number;
            /** @description buckets that no host may be searched for; Postgres answers searches meanwhile */
            unsearchable_buckets: number;
            /** @description copies that are being made or deleted */
            moving_buckets: number;
            /** @description empty with one search host */
            hosts: components["schemas"]["PlacementHost"][];
        };
        PlacementHost: {
            /** @description its address */
            host: string;
            /** @description false: no longer in `MEILI_HOST`; its buckets move to the others */
            wanted: boolean;
            /** @description whether it answered now, within a second */
            up: boolean;
            index_uid: string | null;
            buckets: components["schemas"]["PlacementBuckets"];
            /** @description products that it lacks, or has in an older version */
            dirty: number;
            /** @description age of the oldest change that it lacks */
            lag_s: number;
            /**
             * Format: date-time
             * @description when a whole comparison with the database last ended
             */
            verified_at: string | null;
        };
        PlacementBuckets: {
            /** @description proven, and searched here */
            serving: number;
            /** @description being copied here, not searched yet */
            filling: number;
            /** @description about to be deleted here */
            leaving: number;
        };
        Quarantine: {
            items: components["schemas"]["QuarantinedItem"][];
            /** @description `before` of the next page; null on the last. With a filter, a page may be short or empty and still have a next */
            next: number | null;
        };
        QuarantinedItem: {
            id: number;
            /** @description the latest call that showed it */
            call_id: number;
            item_id: number | null;
            /** @description of the product as it was last read; null if it never was */
            title: string | null;
            shop_id: string | null;
            shop_name: string | null;
            reason: string;
            /** @description the item's text as sent */
            raw: string;
            /**
             * Format: date-time
             * @description last
             */
            seen_at: string;
            /** Format: date-time */
            first_seen_at: string;
            /** @description how often it was seen */
            times: number;
        };
        HeldDeletions: {
            /** @description all that are held */
            held: number;
            guard: {
                /**
                 * Format: date-time
                 * @description since when every deletion is held; null: deletions take effect
                 */
                tripped_at: string | null;
                /** @description deletions that took effect within a week, since ops last decided */
                deleted: number;
                /** @description living products that refreshes of the last day left out, as other answers showed */
                refuted: number;
                /** @description these are so many that a deletion needs more than one answer */
                doubted: boolean;
            };
            /** @description the 20 shops with most held deletions */
            shops: {
                shop_id: string;
                shop_name: string;
                held: number;
            }[];
            /** @description by item_id */
            items: components["schemas"]["HeldDeletion"][];
            /** @description `after` of the next page; null on the last */
            next: number | null;
        };
        HeldDeletion: {
            item_id: number;
            title: string;
            shop: {
                shop_id: string;
                shop_name: string;
            };
            /** @description the newest refresh that did not return it */
            call_id: number;
            /**
             * Format: date-time
             * @description when that refresh was sent
             */
            proven_at: string;
            /**
             * Format: date-time
             * @description since when its deletion is held
             */
            held_at: string;
            /**
             * Format: date-time
             * @description when the upstream last showed it
             */
            checked_at: string;
        };
        ReleasedDeletions: {
            released: number;
        };
        /** @description Only those of these ids and of this shop; without a body, all */
        HeldDeletionScope: {
            item_ids?: number[];
            shop_id?: string;
        };
        DiscardedDeletions: {
            discarded: number;
        };
        ExportManifest: {
            /** @enum {number} */
            version: 1;
            files: components["schemas"]["ExportedFile"][];
        };
        ExportedFile: {
            file: string;
            dataset: string;
            /** @enum {string} */
            format: "parquet" | "csv";
            /** @description of the marketplace's calendar */
            day: string;
            rows: number;
            bytes: number;
            sha256: string;
            written_at: string;
        };
        KeyList: {
            items: components["schemas"]["Key"][];
            /** @description requests without a key */
            without_key: components["schemas"]["KeyUse"][];
        };
        Key: {
            key_id: number;
            name: string;
            /** @description of the key, to tell keys apart */
            last_four: string;
            per_minute: number | null;
            per_day: number | null;
            /** @description empty: from everywhere */
            origins: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            revoked_at: string | null;
            /** Format: date */
            last_used_day: string | null;
            /** @description newest day first; days without use are left out */
            use: components["schemas"]["KeyUse"][];
        };
        KeyUse: {
            /** Format: date */
            day: string;
            /** @description let through */
            requests: number;
            /** @description of these, answered with a status of 400 or more */
            errors: number;
            /** @description refused with 429 beyond a limit of the key */
            limited: number;
            /** @description refused with 403 */
            other_origin: number;
        };
        CreatedKey: {
            key_id: number;
            name: string;
            /** @description of the key, to tell keys apart */
            last_four: string;
            per_minute: number | null;
            per_day: number | null;
            /** @description empty: from everywhere */
            origins: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            revoked_at: string | null;
            /** @description shown in this answer alone */
            key: string;
        };
        NewKey: {
            name: string;
            /** @description requests in a minute of the clock; null or absent: any number */
            per_minute?: number | null;
            /** @description requests in a day of the marketplace's calendar; null or absent: any number */
            per_day?: number | null;
            /** @description pages of these origins may use the key, and nothing else; empty or absent: it may be used from everywhere */
            origins?: string[];
        };
        MatchReview: {
            items: components["schemas"]["DoubtfulMatch"][];
            /** @description `after` of the next page; null on the last */
            next: string | null;
            /** @description all pairs of the queue, counted up to 10000 */
            waiting: number;
        };
        DoubtfulMatch: {
            a: components["schemas"]["MatchedProduct"];
            b: components["schemas"]["MatchedProduct"];
            /** @description probability that both are the same product */
            score: number;
            /**
             * @description equal: they are compared as one product now; similar: only shown beside it
             * @enum {string}
             */
            tier: "equal" | "similar" | "none";
            /** @enum {string} */
            kind: "gtin" | "model" | "text" | "manual";
            /** @description opens of the last days times the part of the price that a decision would change */
            priority: number;
            reasons: {
                for: components["schemas"]["MatchReason"][];
                against: components["schemas"]["MatchReason"][];
            };
        };
        MatchedProduct: {
            item_id: number;
            title: string;
            /** @description 0: not known */
            price: number;
            stock: number;
            /** @description proven deleted */
            gone: boolean;
            image: components["schemas"]["Image"] | null;
            gtins: string[];
            categories: string[];
            shop: {
                shop_id: string;
                shop_name: string;
            };
            /** @description the group it is in now */
            group_id: number | null;
            attributes: components["schemas"]["TitleAttributes"] | null;
        };
        /** @description what the title tells; null or empty: nothing */
        TitleAttributes: {
            /** @description content of one piece, in `unit` */
            quantity: number | null;
            unit: string | null;
            /** @description pieces; null: not said, which is one */
            pack: number | null;
            models: string[];
            colours: string[];
            size: string | null;
            condition: string | null;
            edition: string | null;
        };
        MatchReason: {
            /** @description codes, words, price, models, quantity, pack, colours, size, condition, edition, or a veto of the matcher */
            about: string;
            /** @description what `a` says of it; of words: those that `b` lacks; null: nothing to show */
            left: string | null;
            right: string | null;
        };
        MatchDecisionList: {
            items: components["schemas"]["ListedMatchDecision"][];
            /** @description `before` of the next page; null on the last */
            next: number | null;
        };
        ListedMatchDecision: {
            decision_id: number;
            a: components["schemas"]["MatchedProduct"];
            b: components["schemas"]["MatchedProduct"];
            /**
             * @description undone: an earlier decision was taken back, as if nobody had decided
             * @enum {string}
             */
            decision: "same" | "different" | "unsure" | "undone";
            /** Format: date-time */
            decided_at: string;
            /** @description no later decision replaces it */
            stands: boolean;
        };
        MatchDecision: {
            decision_id: number;
            /** @description the smaller item_id */
            a: number;
            b: number;
            /**
             * @description undone: an earlier decision was taken back, as if nobody had decided
             * @enum {string}
             */
            decision: "same" | "different" | "unsure" | "undone";
            /** Format: date-time */
            decided_at: string;
        };
        NewMatchDecision: {
            a: number;
            b: number;
            /**
             * @description unsure: changes nothing, and the pair is not asked about again
             * @enum {string}
             */
            decision: "same" | "different" | "unsure";
            /** @description the `decision_id` that may be replaced; null: none. Left out: whichever stands is replaced */
            replaces?: number | null;
        };
        MatchCategoryList: {
            items: components["schemas"]["MatchCategory"][];
            /** @description `after` of the next page; null on the last */
            next: string | null;
        };
        MatchCategory: {
            category: string;
            /** @description false: nothing is linked by text here */
            linked: boolean;
            reason: string;
            /** @description probability from which a pair links */
            threshold: number;
            /** @description share of links that are right, by pairs with a barcode on both sides; null: too few */
            precision_by_codes: number | null;
            /** @description the same by comparison with pairs within one shop, which are different products; null: too few */
            precision_by_shops: number | null;
            labelled_pairs: number;
            /** Format: date-time */
            estimated_at: string;
        };
        GroupChanges: {
            items: components["schemas"]["GroupChange"][];
            /** @description `after` of the next request; the same as before while nothing is new */
            next: number;
        };
        GroupChange: {
            change_id: number;
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            kind: "created" | "joined" | "left" | "merged" | "split" | "dissolved";
            group_id: number;
            /** @description merged: the group that remains; split: the new group; else null */
            other_group_id: number | null;
            /** @description the products it is about */
            item_ids: number[];
        };
        OpsDeliveryList: {
            items: components["schemas"]["OpsDelivery"][];
            next: number | null;
        };
        OpsDelivery: components["schemas"]["Delivery"] & {
            /** @description of the URL, whose rest may be secret */
            host: string;
        };
        TroubledWebhookList: {
            items: components["schemas"]["TroubledWebhook"][];
        };
        TroubledWebhook: {
            webhook_id: number;
            key_id: number | null;
            /** @description of the URL, whose rest may be secret */
            host: string;
            /** @enum {string} */
            state: "active" | "disabled";
            /** @enum {string|null} */
            reason: "gone" | "failing" | null;
            /** Format: date-time */
            failing_since: string | null;
            /** Format: date-time */
            disabled_at: string | null;
        };
        ReplayedDeliveries: {
            replayed: number;
            more: boolean;
        };
        DeliveryReplay: {
            ids?: number[];
            /** Format: date-time */
            from?: string;
            /** Format: date-time */
            to?: string;
            webhook_id?: number;
        };
        BusySavedSearches: {
            items: components["schemas"]["BusySavedSearch"][];
        };
        BusySavedSearch: {
            saved_search_id: number;
            /** @description of its owner; null: a visitor of the pages */
            key_id: number | null;
            query: components["schemas"]["SavedQuery"];
            rules: components["schemas"]["AlertRule"][];
            /**
             * @description faulty: it cannot be judged. limited: it has reached its daily maximum, further events of today are quiet
             * @enum {string}
             */
            state: "faulty" | "expired" | "paused" | "limited" | "active";
            fault: string | null;
            /** @description told since it was made */
            events: number;
            /** @description events of today that were not quiet */
            today: number;
            daily_max: number;
        };
        AuditLog: {
            items: components["schemas"]["AuditedAction"][];
            /** @description `before` of the next page; null on the last. With a filter, a page may be short or empty and still have a next */
            next: number | null;
        };
        AuditedAction: {
            id: number;
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            via: "api" | "console";
            /** @description who; null: a sign-in that failed, so nobody knows who */
            operator: string | null;
            /** @description from where (IPv6: the /64); null: older than this member */
            address: string | null;
            action: string;
            /** @description the job or the keyword's id, else empty */
            subject: string;
            /** @description as requested */
            detail: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            outcome: "done" | "refused";
            /** @description of the refusal */
            code: string | null;
            request_id: string;
        };
    };
    responses: {
        /** @description Names every invalid parameter */
        Problem400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No live API key, or none where one is needed */
        Problem401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The API key is for pages of other origins */
        Problem403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is too large, or a GET has one */
        Problem413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests */
        Problem429: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A fault on our side */
        Problem500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not available now */
        Problem503: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Never seen */
        Problem404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Proven deleted; `gone_at` says when that was seen */
        Problem410: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["GoneProblem"];
            };
        };
        /** @description The body is not application/json, not in UTF-8, or compressed */
        Problem415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The range begins after the end of the file */
        Problem416: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The key has 20 webhooks already */
        Problem409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The first fault, in Meilisearch's format */
        MeilisearchError400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MeilisearchError"];
            };
        };
        /** @description No live API key, or none where one is needed */
        MeilisearchError401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MeilisearchError"];
            };
        };
        /** @description The API key is for pages of other origins */
        MeilisearchError403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MeilisearchError"];
            };
        };
        /** @description The body is too large, or a GET has one */
        MeilisearchError413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MeilisearchError"];
            };
        };
        /** @description The body is not application/json, not in UTF-8, or compressed */
        MeilisearchError415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MeilisearchError"];
            };
        };
        /** @description Too many requests */
        MeilisearchError429: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MeilisearchError"];
            };
        };
        /** @description A fault on our side */
        MeilisearchError500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MeilisearchError"];
            };
        };
        /** @description Not available now */
        MeilisearchError503: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MeilisearchError"];
            };
        };
        /** @description There is no such index */
        MeilisearchError404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MeilisearchError"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    searchProducts: {
        parameters: {
            query?: {
                /** @description `-word` excludes, `"…"` is a phrase; other words also find their plural, other spellings, and near misses */
                q?: string;
                /** @description all: only products that have every word; most: if these do not fill a page, products follow that have most of them */
                match?: "all" | "most";
                /** @description any of these shops */
                shop_id?: string[];
                /** @description none of these shops */
                exclude_shop_id?: string[];
                /** @description in any of these categories */
                category?: string[];
                /** @description products with any of these barcodes */
                gtin?: string[];
                price_min?: number;
                price_max?: number;
                in_stock?: boolean;
                on_sale?: boolean;
                /** @description whose title tells one of these conditions; most new products tell none. state: a grade from a to d */
                condition?: ("used" | "refurbished" | "opened" | "graded" | "state")[];
                /** @description whose title tells one of these colours, in whatever language */
                colour?: ("black" | "white" | "grey" | "silver" | "gold" | "red" | "blue" | "navy" | "green" | "yellow" | "orange" | "pink" | "purple" | "brown" | "beige" | "cream" | "turquoise" | "clear")[];
                /** @description whose title tells one of these sizes, in upper or lower case, also full width */
                size?: string[];
                /** @description only products that were checked within this many seconds */
                max_age_s?: number;
                /** @description relevance: products in stock come first, in the order of how well they match. unit_price:asc compares the price of 100 g, 100 ml or 1 piece, so choose goods of one kind; products without one come last. first_seen:desc: newest first */
                sort?: "relevance" | "price:asc" | "price:desc" | "unit_price:asc" | "first_seen:desc" | "modified:desc" | "discount:desc" | "popularity:desc";
                page?: number;
                per_page?: number;
                /** @description repeated or separated by commas; each is counted without its own filter, so that values besides the chosen ones have counts too */
                facets?: ("shop_id" | "category" | "condition" | "colour" | "size" | "price" | "in_stock")[];
                /** @description most values of each facet, the most frequent ones; 1000 unless told */
                facet_limit?: number;
                /** @description one row per comparable product. product: products of one group, see `/v1/groups`; gtin: products with the same smallest GTIN. `found` and facets count rows: a row counts once for each value that one of its found offers has. The row shows the first of them, `offers` sums up all found offers, and `group` the whole group, whatever was searched for */
                group?: "gtin" | "product";
                /** @description only these members of the items, besides item_id; repeated or separated by commas */
                fields?: ("item_id" | "title" | "detail" | "url" | "price" | "currency" | "proper_price" | "discount_percent" | "unit_price" | "reduction" | "group" | "attributes" | "stock" | "in_stock" | "identifier" | "gtins" | "images" | "variations" | "shop" | "categories" | "modified" | "modified_at" | "first_seen_at" | "checked_at" | "age_s" | "price_since" | "offers" | "match" | "missing_words" | "highlights")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductSearchResult"];
                };
            };
            /** @description Unchanged since `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    searchFacetValues: {
        parameters: {
            query?: {
                /** @description what the values begin with, in any spelling (width, case, kana); of shops their name or id. Empty: any value */
                q?: string;
                /** @description the words of the search: `q` of GET /v1/products */
                query?: string;
                /** @description all: only products that have every word; most: if these do not fill a page, products follow that have most of them */
                match?: "all" | "most";
                /** @description any of these shops */
                shop_id?: string[];
                /** @description none of these shops */
                exclude_shop_id?: string[];
                /** @description in any of these categories */
                category?: string[];
                /** @description products with any of these barcodes */
                gtin?: string[];
                price_min?: number;
                price_max?: number;
                in_stock?: boolean;
                on_sale?: boolean;
                /** @description whose title tells one of these conditions; most new products tell none. state: a grade from a to d */
                condition?: ("used" | "refurbished" | "opened" | "graded" | "state")[];
                /** @description whose title tells one of these colours, in whatever language */
                colour?: ("black" | "white" | "grey" | "silver" | "gold" | "red" | "blue" | "navy" | "green" | "yellow" | "orange" | "pink" | "purple" | "brown" | "beige" | "cream" | "turquoise" | "clear")[];
                /** @description whose title tells one of these sizes, in upper or lower case, also full width */
                size?: string[];
                /** @description only products that were checked within this many seconds */
                max_age_s?: number;
                /** @description relevance: products in stock come first, in the order of how well they match. unit_price:asc compares the price of 100 g, 100 ml or 1 piece, so choose goods of one kind; products without one come last. first_seen:desc: newest first */
                sort?: "relevance" | "price:asc" | "price:desc" | "unit_price:asc" | "first_seen:desc" | "modified:desc" | "discount:desc" | "popularity:desc";
                /** @description most values, the most frequent ones */
                facet_limit?: number;
                /** @description one row per comparable product. product: products of one group, see `/v1/groups`; gtin: products with the same smallest GTIN. `found` and facets count rows: a row counts once for each value that one of its found offers has. The row shows the first of them, `offers` sums up all found offers, and `group` the whole group, whatever was searched for */
                group?: "gtin" | "product";
            };
            header?: never;
            path: {
                name: "category" | "shop_id" | "condition" | "colour" | "size";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Values */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FacetValues"];
                };
            };
            /** @description Unchanged since `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                item_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            /** @description Unchanged since `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            410: components["responses"]["Problem410"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    lookUpProducts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductLookup"];
            };
        };
        responses: {
            /** @description What is known of each id */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductLookupResult"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /** @description a cursor; without it: from the beginning, which is everything that lives */
                after?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The next changes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            /** @description The cursor is of a catalogue that was restored, or whose database was replaced, since: begin again, with an empty copy and without `after` */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getSnapshotManifest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The files there are */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotManifest"];
                };
            };
            /** @description Unchanged */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getSnapshotFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/gzip": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The range that was asked for */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/gzip": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description Unchanged */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            416: components["responses"]["Problem416"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getProductHistory: {
        parameters: {
            query?: {
                /** @description only what was so at that time or later. A date without a time is its midnight in UTC */
                since?: string;
                /** @description only what was so at that time or before; with `granularity=day`, the first and last day have the checks between `since` and `until` alone. A date without a time is its midnight in UTC */
                until?: string;
                /** @description interval: one row for each period of unchanged values; day: one row for each day with a check */
                granularity?: "interval" | "day";
                /** @description most rows, the newest ones; with `granularity=day` a page covers at most so many days and may be empty although `next` leads on */
                limit?: number;
            };
            header?: never;
            path: {
                item_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description History */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            /** @description Unchanged since `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    lookUpOffers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OffersLookup"];
            };
        };
        responses: {
            /** @description Offers, cheapest in stock first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OffersLookupResult"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getOffersByGtin: {
        parameters: {
            query?: {
                /** @description true leaves out offers that are out of stock; otherwise they come last */
                in_stock?: boolean;
                /** @description `coverage` says how many were checked within this time; all are shown */
                max_age_s?: number;
            };
            header?: never;
            path: {
                gtin: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Offers, cheapest in stock first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Offers"];
                };
            };
            /** @description Unchanged since `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getProductOffers: {
        parameters: {
            query?: {
                /** @description true leaves out offers that are out of stock; otherwise they come last */
                in_stock?: boolean;
                /** @description `coverage` says how many were checked within this time; all are shown */
                max_age_s?: number;
            };
            header?: never;
            path: {
                item_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Offers, cheapest in stock first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductOffers"];
                };
            };
            /** @description Unchanged since `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The group */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description It was merged into another group */
            301: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unchanged since `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            410: components["responses"]["Problem410"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    refreshProduct: {
        parameters: {
            query?: {
                /** @description if the product was checked within this many seconds, the answer needs no call */
                min_age_s?: number;
            };
            header?: never;
            path: {
                item_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            /** @description Queued; `Location` is the product, `Retry-After` says when to read it */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueuedRefresh"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            410: components["responses"]["Problem410"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listPriceDrops: {
        parameters: {
            query?: {
                /** @description only prices first seen since then; default: 7 days ago. A date without a time is its midnight in UTC */
                since?: string;
                min_percent?: number;
                /** @description any of these shops */
                shop_id?: string[];
                /** @description in any of these categories */
                category?: string[];
                /** @description false: also prices that have changed since */
                current?: boolean;
                /** @description only the first drop, in this order, of each comparable product (see `/v1/groups`), whatever its shop; `product.group` has the lowest price of all shops */
                group?: "product";
                sort?: "newest" | "biggest";
                page?: number;
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceDropList"];
                };
            };
            /** @description Unchanged since `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    goToShop: {
        parameters: {
            query?: {
                /** @description the page's own label for its links; clicks are counted by it */
                src?: string;
            };
            header?: never;
            path: {
                item_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product's `url` */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Names every invalid parameter */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/html": string;
                };
            };
            /** @description No live API key, or none where one is needed */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/html": string;
                };
            };
            /** @description The API key is for pages of other origins */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/html": string;
                };
            };
            /** @description Never seen, or sold at no known web address */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/html": string;
                };
            };
            /** @description Proven deleted; `gone_at` says when that was seen */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["GoneProblem"];
                    "text/html": string;
                };
            };
            413: components["responses"]["Problem413"];
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/html": string;
                };
            };
            500: components["responses"]["Problem500"];
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/html": string;
                };
            };
        };
    };
    listShops: {
        parameters: {
            query?: {
                /** @description only these shops */
                shop_id?: string[];
                page?: number;
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShopList"];
                };
            };
            /** @description Unchanged since `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getShop: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                shop_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The shop */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Shop"];
                };
            };
            /** @description Unchanged since `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listCategories: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CategoryList"];
                };
            };
            /** @description Unchanged since `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Status */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            /** @description Unchanged since `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    suggest: {
        parameters: {
            query: {
                q: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Likeliest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suggestions"];
                };
            };
            /** @description Unchanged since `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Webhooks, without their secrets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            /** @description Unchanged since `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description The webhook */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook, without its secret */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description Unchanged since `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Nothing more is sent to it */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookChange"];
            };
        };
        responses: {
            /** @description The webhook as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It will be sent */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTest"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                state?: "waiting" | "delivered" | "dead";
                /** @description only deliveries older than this one */
                before?: number;
                limit?: number;
            };
            header?: never;
            path: {
                webhook_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deliveries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            /** @description Unchanged since `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    meiliMultiSearch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MeilisearchMultiQuery"];
            };
        };
        responses: {
            /** @description One result for each query, or one list with `federation` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeilisearchMultiResult"] | components["schemas"]["MeilisearchFederatedResult"];
                };
            };
            400: components["responses"]["MeilisearchError400"];
            401: components["responses"]["MeilisearchError401"];
            403: components["responses"]["MeilisearchError403"];
            413: components["responses"]["MeilisearchError413"];
            415: components["responses"]["MeilisearchError415"];
            429: components["responses"]["MeilisearchError429"];
            500: components["responses"]["MeilisearchError500"];
            503: components["responses"]["MeilisearchError503"];
        };
    };
    meiliSearchByUrl: {
        parameters: {
            query?: {
                q?: string;
                /** @description several are separated by commas */
                vector?: string;
                offset?: number;
                limit?: number;
                page?: number;
                hitsPerPage?: number;
                /** @description several are separated by commas */
                attributesToRetrieve?: string;
                retrieveVectors?: boolean;
                /** @description several are separated by commas */
                attributesToCrop?: string;
                cropLength?: number;
                /** @description several are separated by commas */
                attributesToHighlight?: string;
                /** @description an expression, or the JSON of a list */
                filter?: string;
                /** @description several are separated by commas */
                sort?: string;
                distinct?: string;
                showMatchesPosition?: boolean;
                showRankingScore?: boolean;
                showRankingScoreDetails?: boolean;
                /** @description several are separated by commas */
                facets?: string;
                highlightPreTag?: string;
                highlightPostTag?: string;
                cropMarker?: string;
                matchingStrategy?: string;
                /** @description several are separated by commas */
                attributesToSearchOn?: string;
                hybridEmbedder?: string;
                hybridSemanticRatio?: number;
                rankingScoreThreshold?: number;
                /** @description several are separated by commas */
                locales?: string;
            };
            header?: never;
            path: {
                index_uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The hits */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeilisearchResult"];
                };
            };
            400: components["responses"]["MeilisearchError400"];
            401: components["responses"]["MeilisearchError401"];
            403: components["responses"]["MeilisearchError403"];
            404: components["responses"]["MeilisearchError404"];
            413: components["responses"]["MeilisearchError413"];
            429: components["responses"]["MeilisearchError429"];
            500: components["responses"]["MeilisearchError500"];
            503: components["responses"]["MeilisearchError503"];
        };
    };
    meiliSearch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                index_uid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MeilisearchQuery"];
            };
        };
        responses: {
            /** @description The hits */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeilisearchResult"];
                };
            };
            400: components["responses"]["MeilisearchError400"];
            401: components["responses"]["MeilisearchError401"];
            403: components["responses"]["MeilisearchError403"];
            404: components["responses"]["MeilisearchError404"];
            413: components["responses"]["MeilisearchError413"];
            415: components["responses"]["MeilisearchError415"];
            429: components["responses"]["MeilisearchError429"];
            500: components["responses"]["MeilisearchError500"];
            503: components["responses"]["MeilisearchError503"];
        };
    };
    meiliFacetSearch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                index_uid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MeilisearchFacetQuery"];
            };
        };
        responses: {
            /** @description The values */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeilisearchFacetResult"];
                };
            };
            400: components["responses"]["MeilisearchError400"];
            401: components["responses"]["MeilisearchError401"];
            403: components["responses"]["MeilisearchError403"];
            404: components["responses"]["MeilisearchError404"];
            413: components["responses"]["MeilisearchError413"];
            415: components["responses"]["MeilisearchError415"];
            429: components["responses"]["MeilisearchError429"];
            500: components["responses"]["MeilisearchError500"];
            503: components["responses"]["MeilisearchError503"];
        };
    };
    meiliHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They are */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeilisearchHealth"];
                };
            };
            400: components["responses"]["MeilisearchError400"];
            401: components["responses"]["MeilisearchError401"];
            403: components["responses"]["MeilisearchError403"];
            413: components["responses"]["MeilisearchError413"];
            429: components["responses"]["MeilisearchError429"];
            500: components["responses"]["MeilisearchError500"];
            503: components["responses"]["MeilisearchError503"];
        };
    };
    listSavedSearches: {
        parameters: {
            query?: {
                after?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedSearchList"];
                };
            };
            /** @description Unchanged since `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createSavedSearch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSavedSearch"];
            };
        };
        responses: {
            /** @description It is judged from now on */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedSavedSearch"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getSavedSearch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                saved_search_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedSearch"];
                };
            };
            /** @description Unchanged since `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteSavedSearch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                saved_search_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    changeSavedSearch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                saved_search_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SavedSearchChange"];
            };
        };
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedSearch"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    renewFeeds: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                saved_search_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new addresses */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenewedFeeds"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description a cursor; without it: from the oldest event that is kept */
                after?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The next events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertEventList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                after?: number;
            };
            header?: {
                "last-event-id"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getFeed: {
        parameters: {
            query?: {
                lang?: "ja" | "en";
            };
            header?: never;
            path: {
                /** @description the secret with `.atom` or `.json` */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                    "application/feed+json": components["schemas"]["JsonFeed"];
                };
            };
            /** @description Unchanged since `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Alive */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            413: components["responses"]["Problem413"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getReadiness: {
        parameters: {
            query?: {
                /** @description what is not asked; for load balancers, which would otherwise remove every process when the database does not answer */
                exclude?: "database";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            413: components["responses"]["Problem413"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Prometheus text format */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["Problem400"];
            413: components["responses"]["Problem413"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getBudget: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Budget */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Budget"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listCalls: {
        parameters: {
            query?: {
                limit?: number;
                purpose?: "discovery" | "revalidation" | "on_demand";
                status?: "ok" | "failed" | "unknown";
                /** @description the code of the failure */
                outcome?: string;
                shop_id?: string;
                /** @description a part of the keyword */
                q?: string;
                /** @description of the upstream's calendar */
                day?: string;
                before?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Calls */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getFailures: {
        parameters: {
            query?: {
                range?: "day" | "week" | "month";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Hours or days */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureReport"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listJobs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Jobs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    changeJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobChange"];
            };
        };
        responses: {
            /** @description The job as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    runJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobRun"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    stopJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run as it ended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobRun"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listQueries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Keywords */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    addQuery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewQuery"];
            };
        };
        responses: {
            /** @description The keyword */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Query"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    removeQuery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    changeQuery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QueryChange"];
            };
        };
        responses: {
            /** @description The keyword */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Query"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    changeQueries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QueriesChange"];
            };
        };
        responses: {
            /** @description How many */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedRows"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    addQueries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewQueries"];
            };
        };
        responses: {
            /** @description How many are new */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedQueries"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listZeroResults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Searches */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ZeroResults"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getPlan: {
        parameters: {
            query?: {
                calls?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Plan */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    askWhatIf: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WhatIf"];
            };
        };
        responses: {
            /** @description Plan report */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanReport"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getCrawlState: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The crawler's state */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CrawlState"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    pauseCrawl: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The crawler's state */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CrawlState"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    resumeCrawl: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The crawler's state */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CrawlState"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listBackoffs: {
        parameters: {
            query?: {
                kind?: "keyword" | "page" | "shop" | "product";
                shop_id?: string;
                /** @description of the last failure */
                code?: string;
                limit?: number;
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackoffList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    retryBackoff: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The next call may request it */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    retryBackoffs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RowIds"];
            };
        };
        responses: {
            /** @description How many */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedRows"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getMirror: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Mirror */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Mirror"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    verifyMirror: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobRun"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    rebuildMirror: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The index being built, also if its build was already running */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MirrorRebuild"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listDeadLetters: {
        parameters: {
            query?: {
                limit?: number;
                after?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLetterList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    resendDeadLetters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RowIds"];
            };
        };
        responses: {
            /** @description How many */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedRows"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getPlacement: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Placement */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Placement"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listQuarantine: {
        parameters: {
            query?: {
                limit?: number;
                before?: number;
                item_id?: number;
                shop_id?: string;
                /** @description a part of the reason */
                reason?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Items */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quarantine"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    recheckQuarantined: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RowIds"];
            };
        };
        responses: {
            /** @description How many */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedRows"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    dropQuarantined: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RowIds"];
            };
        };
        responses: {
            /** @description How many */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedRows"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getHeldDeletions: {
        parameters: {
            query?: {
                limit?: number;
                after?: number;
                shop_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many are held, and a page of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldDeletions"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    releaseHeldDeletions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["HeldDeletionScope"];
            };
        };
        responses: {
            /** @description How many took effect */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReleasedDeletions"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    discardHeldDeletions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["HeldDeletionScope"];
            };
        };
        responses: {
            /** @description How many were discarded */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiscardedDeletions"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listExports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The manifest */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportManifest"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The file from the range's first byte on */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description Unchanged since `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            416: components["responses"]["Problem416"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Keys */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewKey"];
            };
        };
        responses: {
            /** @description The key */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedKey"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Refused from now on, in other processes within seconds */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listDoubtfulMatches: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchReview"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listMatchDecisions: {
        parameters: {
            query?: {
                limit?: number;
                before?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchDecisionList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    decideMatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewMatchDecision"];
            };
        };
        responses: {
            /** @description Stored */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchDecision"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    undoMatchDecision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Undone; a doubtful pair waits for a decision again */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listMatchCategories: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
                linked?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchCategoryList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listGroupChanges: {
        parameters: {
            query?: {
                after?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupChanges"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                state?: "waiting" | "delivered" | "dead";
                /** @description only deliveries older than this one */
                before?: number;
                limit?: number;
                webhook_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deliveries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsDeliveryList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listTroubledWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Webhooks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TroubledWebhookList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    replayDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeliveryReplay"];
            };
        };
        responses: {
            /** @description How many are sent again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayedDeliveries"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listBusiestSavedSearches: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Saved searches */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BusySavedSearches"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listActions: {
        parameters: {
            query?: {
                limit?: number;
                before?: number;
                operator?: string;
                address?: string;
                action?: string;
                outcome?: "done" | "refused";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Actions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLog"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getOpenapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description Unchanged since `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
}
