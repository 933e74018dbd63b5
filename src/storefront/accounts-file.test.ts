import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ConfigError, loadConfig } from "../config.ts";

const folder = mkdtempSync(join(tmpdir(), "kurabe-accounts-"));
const path = join(folder, "accounts.json");
afterAll(() => rmSync(folder, { recursive: true }));

function write(value: unknown, mode = 0o600): void {
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  chmodSync(path, mode);
}

function faultsOf(env: Record<string, string> = {}): string[] {
  try {
    loadConfig({ STOREFRONT_ACCOUNTS_FILE: path, ...env });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

const first = { name: "first", client_id: "id-1", client_secret: "canary-1", daily_limit: 300 };
const second = {
  name: "second",
  client_id: "id-2",
  client_secret: "canary-2",
  timezone: "Europe/Berlin",
  max_calls_per_second: 0.5,
};

describe("STOREFRONT_ACCOUNTS_FILE", () => {
  it("gives several accounts, whose limits are summed", () => {
    write([first, second]);
    const env = { STOREFRONT_ACCOUNTS_FILE: path, STOREFRONT_MAX_CALLS_PER_SECOND: "2" };
    expect(loadConfig(env).storefront).toMatchObject({
      dailyLimit: 10_300,
      timezone: "Asia/Tokyo",
      accounts: [
        { name: "first", dailyLimit: 300, timezone: "Asia/Tokyo", maxCallsPerSecond: 2 },
        { name: "second", dailyLimit: 10_000, timezone: "Europe/Berlin", maxCallsPerSecond: 0.5 },
      ],
    });
  });

  it("reports all faults at once with their places, and no secret", () => {
    write([
      { ...first, name: "No Name", daily_limit: 0, timezone: "Mars/Olympus" },
      { ...second, max_calls_per_second: 2000, "canary-3": 1 },
      { ...first, client_id: "" },
      "canary-4",
    ]);
    const faults = faultsOf({ PORT: "70000" });
    expect(faults.join("\n")).not.toContain("canary");
    expect(faults).toEqual([
      "PORT must be a whole number from 0 to 65535",
      "STOREFRONT_ACCOUNTS_FILE: [0].name must be 1 to 40 of a-z, 0-9, - and _, first a letter or digit",
      "STOREFRONT_ACCOUNTS_FILE: [0].daily_limit must be a whole number from 1 to 10000000",
      "STOREFRONT_ACCOUNTS_FILE: [0].timezone must be an IANA time zone such as Asia/Tokyo",
      "STOREFRONT_ACCOUNTS_FILE: [1].max_calls_per_second must be a number from 0.01 to 1000",
      "STOREFRONT_ACCOUNTS_FILE: [1] may only have name, client_id, client_secret, daily_limit, timezone and max_calls_per_second",
      "STOREFRONT_ACCOUNTS_FILE: [2].client_id must be a text of 1 to 512 characters",
      "STOREFRONT_ACCOUNTS_FILE: [3] must be an object",
    ]);
  });

  it("refuses accounts that are listed twice, and settings that contradict the file", () => {
    write([first, { ...first }]);
    expect(faultsOf()).toEqual([
      "STOREFRONT_ACCOUNTS_FILE: [1].name is that of an account before it",
      "STOREFRONT_ACCOUNTS_FILE: [1].client_id is that of an account before it",
    ]);
    write([first]);
    expect(
      faultsOf({
        STOREFRONT_CLIENT_ID: "id",
        STOREFRONT_CLIENT_SECRET: "canary",
        STOREFRONT_DAILY_LIMIT: "5",
        STOREFRONT_TIMEZONE: "Asia/Tokyo",
      }),
    ).toEqual(
      ["CLIENT_ID", "CLIENT_SECRET", "DAILY_LIMIT", "TIMEZONE"].map(
        (name) => `STOREFRONT_${name} and STOREFRONT_ACCOUNTS_FILE exclude one another`,
      ),
    );
  });

  it("refuses a file that is not there, is no JSON, lists nothing or is open to others", () => {
    write("canary {");
    expect(faultsOf()).toEqual(["STOREFRONT_ACCOUNTS_FILE must be JSON"]);
    write([]);
    expect(faultsOf()).toEqual(["STOREFRONT_ACCOUNTS_FILE must list at least one account"]);
    write([first], 0o644);
    expect(faultsOf()).toEqual([
      "STOREFRONT_ACCOUNTS_FILE must not be open to other users: chmod 600",
    ]);
    expect(faultsOf({ STOREFRONT_ACCOUNTS_FILE: join(folder, "none.json") })).toEqual([
      "STOREFRONT_ACCOUNTS_FILE cannot be read (ENOENT): check the path, and that this user may read it",
    ]);
  });
});
