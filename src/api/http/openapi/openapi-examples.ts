/** A JSON Schema as the document has it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  example?: unknown;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  minimum?: number;
}

/** Values of members by name, so that all examples tell of the same product. */
const samples = new Map<string, unknown>(
  Object.entries({
    "76": null,
    "146": null,
    "300": "https://images.example/100003-300.jpg",
    "500": null,
    "640": null,
    active_run: null,
    action: "change_job",
    block: null,
    bytes: 73_400,
    call_id: 4711,
    categories: ["バッグ"],
    category: "バッグ",
    code: null,
    colours: ["red"],
    condition: null,
    corrected: null,
    count: 41,
    cron: "*/10 * * * *",
    day: "2026-01-31",
    degraded: false,
    detail: "牛革を手で縫いました。",
    discount_percent: 18,
    drop_percent: 18,
    edition: null,
    enabled: true,
    ends_at: null,
    error: null,
    facets_exact: { category: true, price: true },
    failed_trials: 0,
    file: "products-2026-01-31.parquet",
    gtin: "4901234567894",
    gtins: ["4901234567894"],
    identifier: null,
    index_uid: "products_1",
    item_id: 100_003,
    item_ids: [100_003, 100_007],
    last_error: null,
    limit: 10_000,
    job: "discover",
    lowest_price: 9800,
    match_note: null,
    mirror_lag_s: 0.4,
    models: [],
    modified: 1_700_000_000,
    more: false,
    name: "discover",
    next: null,
    operation: "search",
    origin: "https://images.example/100003.jpg",
    outcome: "ok",
    pack: null,
    partially_found: 0,
    per_page: 20,
    price: 9800,
    price_before: 12_000,
    proper_price: 12_000,
    purpose: "discovery",
    q: "革財布",
    quantity: null,
    reason: "seen in 12 titles",
    remaining: 9200,
    shop_id: "shop-1",
    shop_name: "革の店",
    shop_url: "https://shop-1.example/",
    shop_weights: { "shop-1": 2 },
    size: null,
    sp_480: null,
    sp_640: null,
    stock: 3,
    timezone: "Asia/Tokyo",
    title: "手作りの革財布 赤",
    took_ms: 4,
    unit: null,
    unit_price: null,
    used: 800,
    value: "バッグ",
    variation: "色: 赤",
    variation_identifier: null,
    variation_stock: 3,
    barcode: "4901234567894",
    warnings: [],
    why: "2 of its products have probably changed",
  }),
);

/** Makes examples of schemas; `resolve` finds what a `$ref` names. */
export function createExampleMaker(resolve: (ref: string) => Schema) {
  function exampleOf(given: Schema, name = ""): unknown {
    const schema = given.$ref === undefined ? given : resolve(given.$ref);
    if (schema.example !== undefined) return schema.example;
    const sample = samples.get(name);
    if (sample !== undefined && fits(sample, schema)) return sample;
    if (schema.allOf) {
      return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, name))) as unknown;
    }
    const choice = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].find(
      (one) => one.type !== "null",
    );
    if (choice) return exampleOf(choice, name);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return schema.enum[0];
    const [type = "null"] = typesOf(schema);
    switch (type) {
      case "object":
        return objectOf(schema);
      case "array":
        return schema.items ? [exampleOf(schema.items, name)] : [];
      case "integer":
        return Math.max(1, schema.minimum ?? 1);
      case "number":
        return Math.max(0.5, schema.minimum ?? 0);
      case "boolean":
        return true;
      case "string":
        return schema.format === "date-time" ? "2026-01-31T09:00:00Z" : "text";
      default:
        return null;
    }
  }

  /** Members that may be absent are shown only if all may, and then those with a sample. */
  function objectOf({ properties = {}, required = [] }: Schema): Record<string, unknown> {
    const shown = Object.entries(properties).filter(([name, schema]) =>
      required.length > 0
        ? required.includes(name)
        : schema.$ref === undefined && fits(samples.get(name), schema),
    );
    return Object.fromEntries(shown.map(([name, schema]) => [name, exampleOf(schema, name)]));
  }

  return exampleOf;
}

function typesOf({ type, properties }: Schema): string[] {
  if (type === undefined) return properties ? ["object"] : [];
  return [type].flat().toSorted((a) => (a === "null" ? 1 : -1));
}

function fits(sample: unknown, schema: Schema): boolean {
  if (sample === undefined) return false;
  if (schema.enum) return schema.enum.includes(sample);
  const nullable = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return nullable.some((one) => typesOf(one).includes(jsonTypeOf(sample, one)));
}

function jsonTypeOf(value: unknown, { type }: Schema): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (Number.isInteger(value)) return [type].flat().includes("number") ? "number" : "integer";
  return typeof value;
}
