/**
 * All choices that the specification leaves open ("not shown"). The reference page shows
 * `assumptions`; the code uses the figures.
 */

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** Section 5.3: lifetimes of access and refresh tokens: not shown. Seconds. */
export const lifetimes = {
  code: 5 * MINUTE,
  accessToken: HOUR,
  refreshToken: 30 * DAY,
  signInPage: 10 * MINUTE,
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
export const payout = { transferCharge: 250, transferredAfterSeconds: 3 * DAY } as const;
export const savingStatuses = ["requested", "transferred"] as const;

/** Section 2.1 says that a batch resizes images, not when: this long after the image was added. */
export const images = { resizedAfterSeconds: MINUTE } as const;

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
export const assumptions: readonly { section: string; open: string; assumed: string }[] = [
  {
    section: "3",
    open: "order status values and moves",
    assumed:
      "ordered → dispatched, ordered → cancelled; both are final. A cancelled order gives its stock back; order_count stays",
  },
  {
    section: "3",
    open: "what an order changes",
    assumed:
      "placing one lowers stock (of the variation, if it has any) by the quantity, raises order_count by one and moves modified",
  },
  {
    section: "4",
    open: "parameters and bodies of the OAuth operations",
    assumed:
      "RFC 6749 sections 4.1 and 6 (client_secret_post or client_secret_basic), RFC 7636 S256 on request; redirect_uri is always needed",
  },
  {
    section: "4",
    open: "registered redirect addresses",
    assumed:
      "exact, https or http on a loopback address; the port of a loopback address may be any (RFC 8252 section 7.3)",
  },
  {
    section: "4",
    open: "parameters and bodies of the general API",
    assumed:
      "as listed per operation; unknown parameters are ignored; one body key names the record or the list",
  },
  {
    section: "4.1",
    open: "the recommended order, and the columns that can be searched",
    assumed: "order_count desc, item_id asc; the four default columns",
  },
  {
    section: "4.2",
    open: "hidden products in a refresh",
    assumed: "they are returned: only search is specified never to find them",
  },
  {
    section: "5.1",
    open: "refusal of a token",
    assumed:
      "status 400 and invalid_request as specified, with the WWW-Authenticate header of RFC 6750 beside it",
  },
  {
    section: "5.2",
    open: "which operation needs which scope",
    assumed:
      "reading needs the read scope and changing the write scope of its group; categories count as products, delivery companies as orders",
  },
  {
    section: "5.2",
    open: "read_users is granted by default",
    assumed: "every token has it, asked for or not",
  },
  {
    section: "5.3",
    open: "lifetimes",
    assumed:
      "code 5 minutes, access token 1 hour, refresh token 30 days; a refresh token works once, and using a code or refresh token again ends all tokens of that sign-in",
  },
  {
    section: "7",
    open: "further error codes",
    assumed:
      "bad_params also for the general API; not_found, insufficient_scope, https_required, server_error (status 500); at the OAuth operations those of RFC 6749, with status 400",
  },
  {
    section: "7",
    open: "an unknown path or method below /1/",
    assumed: "not_found with status 400",
  },
  {
    section: "8",
    open: "what counts towards the hourly and daily limits",
    assumed:
      "every call with a valid token, whatever its outcome, except those refused by a limit; the count is of the shop owner, over all applications; hour and date of Asia/Tokyo unless set otherwise",
  },
  {
    section: "8",
    open: "what counts towards the daily limit of Search",
    assumed: "every call with valid credentials, both operations together",
  },
  {
    section: "2.1",
    open: "when images are resized",
    assumed: "a batch makes them one minute after the image was added; modified does not move",
  },
  {
    section: "2.4",
    open: "fields of shops, categories, orders, savings and delivery companies",
    assumed: "as shown per operation",
  },
  {
    section: "2.4",
    open: "how savings come about",
    assumed:
      "the orders dispatched on a day make one payout request the day after, less a charge of 250, transferred three days later",
  },
];
