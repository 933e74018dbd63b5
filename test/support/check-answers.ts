import { afterEach, expect } from "vitest";
import { checkAnswersWith, takeFaults, watchFetch, type AnswerCheck } from "./answer-check.ts";

let made: Promise<AnswerCheck> | undefined;

/** Loaded by the first answer, so that tests without answers do not wait for it. */
async function make(): Promise<AnswerCheck> {
  const { createAnswerCheck } = await import("./documented-answers.ts");
  const { readDocument } = await import("./openapi.ts");
  return createAnswerCheck(await readDocument());
}

// Every answer of every test is compared with the description. The description itself is read without.
checkAnswersWith(async (request, answer) =>
  request.path === "/openapi.json" ? null : (await (made ??= make()))(request, answer),
);
watchFetch();

afterEach(() => {
  expect(takeFaults()).toEqual([]);
});
