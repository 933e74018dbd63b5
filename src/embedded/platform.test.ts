import { describe, expect, it } from "vitest";
import { findMeilisearch, findPostgres } from "./platform.ts";

describe("finding the packaged servers", () => {
  it("says what to set where there is no packaged Meilisearch", async () => {
    await expect(findMeilisearch({ os: "darwin", cpu: "arm64" })).rejects.toThrow(
      "no packaged Meilisearch for darwin-arm64: set MEILI_HOST and MEILI_API_KEY",
    );
  });

  it("says what to set where there is no packaged Postgres", async () => {
    await expect(findPostgres({ os: "freebsd", cpu: "x64" })).rejects.toThrow(
      /no packaged Postgres for freebsd-x64: set DATABASE_URL/,
    );
  });
});
