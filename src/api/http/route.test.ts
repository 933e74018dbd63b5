import { expect, it } from "vitest";
import { apiWithoutDb } from "../../../test/support/api.ts";

it("tells of a body, and of a list in it, what it must be", async () => {
  const refused = async (body: unknown) => {
    const answer = await apiWithoutDb().post("/v1/products/lookup", body);
    return ((await answer.json()) as { errors: unknown }).errors;
  };
  for (const body of [[], null, "x", 7]) {
    expect(await refused(body)).toEqual([{ parameter: "body", message: "must be an object" }]);
  }
  expect(await refused({ item_ids: [1], include: "lows" })).toEqual([
    { parameter: "include", message: "must be a list of: lows, offers" },
  ]);
});
