import { z } from "zod";
import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../lib/is-record.ts";

/** Where Meilisearch gets vectors from. */
export const embedderSources = ["openAi", "ollama", "rest", "huggingFace"] as const;

/** The content of the setting `SEARCH_EMBEDDER`. */
export interface Embedder {
  /** Meilisearch's own options of an embedder; they may contain secrets. */
  options: Readonly<Record<string, unknown>>;
  /** From 0, words alone, to 1, meaning alone. */
  semanticRatio: number;
}

/** The only embedder of an index. */
export const embedderName = "default";

/** The default template; without one, all attributes would be embedded, the document's counts included. */
const documentTemplate = "{{doc.title}} {{doc.category_text}}";

export function toEmbedderSettings({ options }: Embedder): Record<string, object> {
  const takesTemplate = !("documentTemplate" in options);
  return {
    [embedderName]: { ...(takesTemplate ? { documentTemplate } : {}), ...options },
  };
}

/** Whether the engine has this embedder alone. It adds defaults, and masks the key, which is not compared. */
export function hasEmbedder(actual: unknown, embedder: Embedder): boolean {
  if (!isRecord(actual) || Object.keys(actual).join() !== embedderName) return false;
  const found = actual[embedderName];
  const wanted = Object.entries(toEmbedderSettings(embedder)[embedderName] ?? {});
  return (
    isRecord(found) &&
    wanted.every(([option, value]) =>
      option === "apiKey" ? option in found : isDeepStrictEqual(found[option] ?? null, value),
    )
  );
}

const settingSchema = z.looseObject({
  source: z.enum(embedderSources),
  apiKey: z.string().optional(),
  semanticRatio: z.number().min(0).max(1).default(0.3),
});

/** Reads the JSON of the setting; null: it is none. */
export function readEmbedder(text: string): Embedder | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const read = settingSchema.safeParse(value);
  if (!read.success) return null;
  const { semanticRatio, ...options } = read.data;
  return { options, semanticRatio };
}
