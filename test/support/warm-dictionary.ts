import { Meilisearch } from "meilisearch";

/** The first Japanese document after a start takes seconds, so add one while the first tests prepare. */
export async function warmDictionary(meili: { host: string; apiKey: string }): Promise<void> {
  const client = new Meilisearch({ host: meili.host, apiKey: meili.apiKey });
  const index = client.index("warm-up");
  const settings = {
    localizedAttributes: [{ attributePatterns: ["*"], locales: ["jpn" as const] }],
  };
  await index.updateSettings(settings);
  await index.addDocuments([{ id: 1, title: "手作りの革財布" }], { primaryKey: "id" });
  await client.tasks.waitForTask(await client.deleteIndex("warm-up"), { timeout: 60_000 });
}
