import { z } from "zod";

const when = {
  /** From 1; the scenario begins at 00:00 of day 1. */
  day: z.int().min(1).max(10_000),
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "HH:MM"),
  /** The shop's id or its owner's e-mail address. */
  owner: z.string().min(1),
};

const product = z.object({
  title: z.string().min(1),
  price: z.int().min(0),
  stock: z.int().min(0),
  detail: z.string().default(""),
  category: z.string().min(1).optional(),
  image_url: z.string().optional(),
});

const title = z.string().min(1);

const action = <Name extends string, Fields extends z.ZodRawShape>(name: Name, fields: Fields) =>
  z.strictObject({ ...when, do: z.literal(name), ...fields });

/** One action of an owner; without a title it applies to all products of the shop. */
const fileEvent = z.discriminatedUnion("do", [
  /** Offers these products, and shows hidden ones again. */
  action("open", { products: z.array(product).default([]) }),
  action("restock", { title: title.optional(), stock: z.int().min(0) }),
  /** Ends after `hours`, if given. */
  action("sale", {
    title: title.optional(),
    percent: z.int().min(1).max(99),
    hours: z.number().positive().optional(),
  }),
  action("end_sale", { title: title.optional() }),
  action("rename", { title, to: title }),
  /** Hides every product. */
  action("close", {}),
]);

export type ScenarioProduct = z.infer<typeof product>;
export type ScenarioEvent = z.infer<typeof fileEvent> & { atSeconds: number };

/** Reads one row of a scenario file; throws a `ZodError`. */
export function toScenarioEvent(value: unknown): ScenarioEvent {
  const event = fileEvent.parse(value);
  const [hours = 0, minutes = 0] = event.time.split(":").map(Number);
  return { ...event, atSeconds: ((event.day - 1) * 24 + hours) * 3600 + minutes * 60 };
}

/** The events, with the ends of sales added, in time order. */
export function withSalesEnds(events: readonly ScenarioEvent[]): ScenarioEvent[] {
  const ends = events.flatMap((event): ScenarioEvent[] => {
    if (event.do !== "sale" || event.hours === undefined) return [];
    const { owner, title, hours } = event;
    const atSeconds = event.atSeconds + hours * 3600;
    const day = Math.floor(atSeconds / 86_400) + 1;
    const minutes = Math.floor((atSeconds % 86_400) / 60);
    const time = [Math.floor(minutes / 60), minutes % 60]
      .map((part) => String(part).padStart(2, "0"))
      .join(":");
    return [{ do: "end_sale", day, time, owner, title, atSeconds }];
  });
  return [...events, ...ends].toSorted((a, b) => a.atSeconds - b.atSeconds);
}
