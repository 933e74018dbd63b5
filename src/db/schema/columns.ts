import { bigint, customType, timestamp } from "drizzle-orm/pg-core";

/** A whole number up to 2^53, such as an id or a price. */
export const id = (name: string) => bigint(name, { mode: "number" });
export const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });
/** A time with milliseconds, as JavaScript has it. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
/** A time with microseconds, as Postgres has it. */
export const moment = (name: string) => timestamp(name, { withTimezone: true });
