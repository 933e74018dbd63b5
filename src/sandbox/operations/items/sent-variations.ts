import { z } from "zod";
import { given } from "../../../lib/given.ts";
import { itemLimits } from "../../assumptions.ts";
import type { SandboxVariation } from "../../catalogue/item.ts";
import type { Ids } from "../../state/journal.ts";
import { assumedList, id, refusal, whole, written } from "../parameters.ts";

const list = z.array(z.string()).max(itemLimits.variations);

/** `variation[0]` and `variation_stock[0]` are of the same variation. */
export const variationLists = {
  variation: assumedList(list, "names of the variations"),
  variation_stock: assumedList(list, "their stock; empty: 0, or as it was"),
  variation_identifier: assumedList(list, "their kind codes; empty: none, or as it was"),
  barcode: assumedList(list, "their JAN/GTIN; empty: none, or as it was"),
};

export const variationIds = assumedList(list, "which variations are meant; empty: a new one");

const rowFields = {
  variation_id: id.optional(),
  variation: written(1, itemLimits.nameChars).optional(),
  variation_stock: whole(0, itemLimits.stock).optional(),
  variation_identifier: written(1, itemLimits.identifierChars).optional(),
  barcode: z
    .string()
    .regex(/^(\d{8}|\d{12,14})$/)
    .optional(),
};
const row = z.object(rowFields);

type Lists = { [K in keyof typeof rowFields]?: readonly string[] };

/** The lists that make variations, and the other fields. */
export function splitVariations<T extends Lists>(input: T): [Lists, Omit<T, keyof Lists>] {
  const {
    variation_id = [],
    variation = [],
    variation_stock = [],
    variation_identifier = [],
    barcode = [],
    ...fields
  } = input;
  return [{ variation_id, variation, variation_stock, variation_identifier, barcode }, fields];
}

/** The variations after the call: those with an id are changed, those without one are added. Throws `bad_params`. */
export function mergeVariations(
  present: readonly SandboxVariation[],
  lists: Lists,
  ids: Ids,
): SandboxVariation[] {
  const merged = [...present];
  for (const { variation_id, ...set } of readRows(lists)) {
    const index = merged.findIndex((v) => v.variation_id === variation_id);
    const before = merged[index];
    if (variation_id !== undefined && !before) throw refusal("variation_id");
    if (before) {
      merged[index] = { ...before, ...given(set) };
      continue;
    }
    const { variation, variation_stock = 0, variation_identifier = null, barcode = null } = set;
    if (variation === undefined) throw refusal("variation");
    merged.push({
      variation_id: ids.next("variation"),
      variation,
      variation_stock,
      variation_identifier,
      barcode,
    });
  }
  if (merged.length > itemLimits.variations) throw refusal("variation");
  return merged;
}

/** One row per number; numbers without values are left out. */
function readRows(lists: Lists): z.infer<typeof row>[] {
  const all = Object.entries(lists);
  const count = Math.max(0, ...all.map(([, values]) => values.length));
  return Array.from({ length: count }, (_, i) =>
    Object.fromEntries(
      all.flatMap(([name, values]) => (values[i] ? [[name, values[i]] as const] : [])),
    ),
  )
    .filter((texts) => Object.keys(texts).length > 0)
    .map((texts) => {
      const result = row.safeParse(texts);
      if (!result.success) throw refusal(String(result.error.issues[0]?.path[0]));
      return result.data;
    });
}
