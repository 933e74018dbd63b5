import { randomBytes } from "node:crypto";
import { Meilisearch } from "meilisearch";
import { inject } from "vitest";

export interface TestMeilisearch {
  host: string;
  apiKey: string;
  /** Every index of the file must begin with this. */
  prefix: string;
  client: Meilisearch;
  /** Deletes the indexes with the prefix. */
  close(): Promise<void>;
}

/** The search engine of the run, and an index prefix for the caller. */
export function openTestMeilisearch(): TestMeilisearch {
  const { host, apiKey } = inject("meili");
  const prefix = `t${randomBytes(6).toString("hex")}_`;
  const client = new Meilisearch({ host, apiKey, timeout: 30_000 });
  return {
    host,
    apiKey,
    prefix,
    client,
    async close() {
      const { results } = await client.getRawIndexes({ limit: 1000 });
      const own = results.filter((index) => index.uid.startsWith(prefix));
      await Promise.all(own.map((index) => client.deleteIndex(index.uid)));
    },
  };
}
