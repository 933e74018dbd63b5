/**
 * All choices that the specification leaves open ("not shown"). The reference page shows
 * `assumptions`; the code uses the figures.
 */

const minuteS = 60;
const hourS = 3_600;
const dayS = 86_400;

/** Section 5.3: lifetimes of access and refresh tokens: not shown. Seconds. */
export const lifetimes = {
  code: 5 * minuteS,
  accessToken: hourS,
  refreshToken: 30 * dayS,
  signInPage: 10 * minuteS,
} as const;

/** Section 4: parameters of the general API: not shown. */
export const listLimits = { default: 20, most: 100 } as const;

export const itemLimits = {
  titleChars: 255,
  detailChars: 10_000,
  nameChars: 100,
  identifierChars: 100,
  price: 100_000_000,
  stock: 999_999,
  variations: 50,
} as const;

/** Section 3: order status values and transitions: not shown. A dispatched or cancelled order stays so. */
export const orderStatuses = ["ordered", "dispatched", "cancelled"] as const;
export const orderMoves = ["dispatched", "cancelled"] as const;
export const payments = ["creditcard", "cod", "cvs", "bt"] as const;

/** Dispatched orders of a day are requested the day after, and transferred three days later. */
export const payout = { transferCharge: 250, transferredAfterSeconds: 3 * dayS } as const;
export const savingStatuses = ["requested", "transferred"] as const;

/** Section 2.1 says that a batch resizes images, not when: this long after the image was added. */
export const images = { resizedAfterSeconds: minuteS } as const;

/** Closed orders to keep per shop, so that a sandbox may run for months; the oldest are dropped first. */
export const closedOrdersKept = 200;

export const deliveryCompanies = [
  { delivery_company_id: 1, name: "ヤマト運輸" },
  { delivery_company_id: 2, name: "佐川急便" },
  { delivery_company_id: 3, name: "日本郵便" },
  { delivery_company_id: 4, name: "西濃運輸" },
  { delivery_company_id: 9, name: "その他" },
] as const;

/** For the reference page: each assumption, and the part of the specification that leaves it open. */
export const assumptions = `
3 order status values and moves:
  ordered → dispatched, ordered → cancelled; both are final. A cancelled order gives its stock back; order_count
  stays
3 what an order changes:
  placing one lowers stock (of the variation, if it has any) by the quantity, raises order_count by one and
  moves modified
4 parameters and bodies of the OAuth operations:
  RFC 6749 sections 4.1 and 6 (client_secret_post or client_secret_basic), RFC 7636 S256 on request;
  redirect_uri is always needed
4 registered redirect addresses:
  exact, https or http on a loopback address; the port of a loopback address may be any (RFC 8252 section 7.3)
4 parameters and bodies of the general API:
  as listed per operation; unknown parameters are ignored; one body key names the record or the list
4.1 the recommended order, and the columns that can be searched:
  order_count desc, item_id asc; the four default columns
4.2 hidden products in a refresh:
  they are returned: only search is specified never to find them
5.1 refusal of a token:
  status 400 and invalid_request as specified, with the WWW-Authenticate header of RFC 6750 beside it
5.2 which operation needs which scope:
  reading needs the read scope and changing the write scope of its group; categories count as products, delivery
  companies as orders
5.2 read_users is granted by default:
  every token has it, asked for or not
5.3 lifetimes:
  code 5 minutes, access token 1 hour, refresh token 30 days; a refresh token works once, and using a code or
  refresh token again ends all tokens of that sign-in
7 further error codes:
  bad_params also for the general API; not_found, insufficient_scope, https_required, server_error (status 500);
  at the OAuth operations those of RFC 6749, with status 400
7 an unknown path or method below /1/:
  not_found with status 400
8 what counts towards the hourly and daily limits:
  every call with a valid token, whatever its outcome, except those refused by a limit; the count is of the shop
  owner, over all applications; hour and date of Asia/Tokyo unless set otherwise
8 what counts towards the daily limit of Search:
  every call with valid credentials, both operations together
2.1 when images are resized:
  a batch makes them one minute after the image was added; modified does not move
2.4 fields of shops, categories, orders, savings and delivery companies:
  as shown per operation
2.4 how savings come about:
  the orders dispatched on a day make one payout request the day after, less a charge of 250, transferred three
  days later`
  .split(/\n(?=\d)/)
  .slice(1)
  .map((text) => {
    const [, section = "", open = "", assumed = ""] = /^(\S+) (.+):\n((?:.|\n)+)$/.exec(text) ?? [];
    return { section, open, assumed: assumed.trim().replaceAll(/\s+/g, " ") };
  });
