/** What is exported: one file per day of events, or one file with the present state. */
export interface Dataset {
  name: string;
  per: "day" | "now";
  /** `day` is YYYY-MM-DD of the marketplace's calendar; undefined for the present state. */
  query(day: string): string;
}

const zone = "(select timezone from analytics.marketplace)";
/** Where clocks go back over midnight, a day begins an hour before what Postgres takes for its midnight. */
const isOf = (day: string, at: string) => `
  ${at} >= '${day}'::timestamp at time zone ${zone} - interval '1 hour'
  and ${at} < ('${day}'::date + 1)::timestamp at time zone ${zone} and (${at} at time zone ${zone})::date = '${day}'::date`;

export const datasets: readonly Dataset[] = [
  {
    name: "prices",
    per: "day",
    query: (day) => `
      select c.item_id, '${day}'::date as day, c.confirmed_at, i.price, i.proper_price, i.stock
      from (
        select item_id, max(m) as confirmed_at from confirmation, unnest(moments) m
        where month = date_trunc('month', '${day}'::date)::date and ${isOf(day, "m")}
        group by item_id
      ) c
      cross join lateral (
        select * from price_interval x where x.item_id = c.item_id and x.first_seen <= c.confirmed_at
        order by x.first_seen desc limit 1
      ) i
      order by c.item_id`,
  },
  {
    name: "price_changes",
    per: "day",
    query: (day) => `
      select item_id, first_seen, price, proper_price, stock, prev_confirmed_at as previous_confirmed
      from price_interval where ${isOf(day, "first_seen")}
      order by first_seen, item_id`,
  },
  {
    name: "calls",
    per: "day",
    query: (day) => `select * from analytics.calls where day = '${day}' order by call_id`,
  },
  {
    name: "products",
    per: "now",
    query: () => `
      select item_id, shop_id, shop_name, state, title, price, proper_price, discount_percent, stock, in_stock,
        identifier, array_to_string(gtins, ',') as gtins, array_to_string(categories, ' > ') as categories, image_url,
        modified, first_seen_at, checked_at, changed_at, price_since, gone_at, changes_per_day
      from analytics.products order by item_id`,
  },
  {
    name: "variations",
    per: "now",
    query: () => "select * from analytics.variations order by item_id, variation_id",
  },
  {
    name: "shops",
    per: "now",
    query: () => "select * from analytics.shops order by shop_id",
  },
];
