import type { placementJa } from "./placement-ja.ts";

export const placementEn: typeof placementJa = {
  title: "Search hosts",
  lead: (copies, buckets) =>
    `Products are divided into ${buckets} buckets. Copies of each bucket, on different hosts: ${copies}.`,
  unsearchable: (buckets) =>
    `${buckets} buckets cannot be searched on any host. The database answers searches meanwhile.`,
  host: "Host",
  health: "Health",
  up: "answers",
  down: "does not answer",
  unwanted: " (being emptied)",
  serving: "Buckets searched",
  filling: "Being copied",
  leaving: "To be deleted",
};
