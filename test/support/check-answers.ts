import { afterEach, expect } from "vitest";
import { checkAnswersWith, takeFaults, watchFetch, type AnswerCheck } from "./answer-check.ts";

/** Loaded by the first answer, so that tests without answers do not wait for it. */
async function check(...sent: Parameters<AnswerCheck>): ReturnType<AnswerCheck> {
  const { answerCheck } = await import("./documented-answers.ts");
  return (await answerCheck())(...sent);
}

// Every answer of every test is compared with the description. The description itself is read without.
checkAnswersWith(async (request, answer) =>
  request.path === "/openapi.json" ? null : check(request, answer),
);
watchFetch();

afterEach(() => {
  expect(takeFaults()).toEqual([]);
});
