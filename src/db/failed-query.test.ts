import { DrizzleQueryError } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { toLoggedError } from "../lib/logged-error.ts";

describe("a failed query in the log", () => {
  it("A12, S1: names a failed query and its cause, not its parameters, rows or addresses", () => {
    const refused = Object.assign(new Error("duplicate key value violates a constraint"), {
      code: "23505",
      detail: "Key (title)=(canary-row) already exists.",
      parameters: ["canary-parameter"],
      cause: Object.assign(new TypeError("Invalid URL"), { input: "https://x/?secret=canary-url" }),
    });
    const query = `insert into product select * from x ${"-- long ".repeat(100)} canary-end`;
    const failed = new DrizzleQueryError(query, ["canary-parameter", "canary-row"], refused);
    expect(failed.message).toContain("canary-parameter");
    const text = JSON.stringify(toLoggedError(failed));
    expect(text).not.toContain("canary");
    expect(text).toContain("Failed query: insert into product");
    expect(text).toContain('"code":"23505"');
    expect(text).toContain("failed-query.test.ts");
    expect(text.length).toBeLessThan(6000);
  });
});
