import { expect, it } from "vitest";
import { growth } from "./soak.ts";

const series = (rssMiB: (minute: number) => number, files: (minute: number) => number) =>
  Array.from({ length: 30 }, (_, minute) => ({
    minute,
    rssMiB: rssMiB(minute),
    files: files(minute),
  }));

it("P6: memory and files that go up and down are flat; those that only go up are not", () => {
  const wavy = (minute: number) => 200 + 20 * Math.sin(minute);
  expect(growth(series(wavy, () => 60))).toBeNull();
  expect(
    growth(
      series(
        (minute) => 150 + 8 * minute,
        () => 60,
      ),
    ),
  ).toContain("memory grew");
  expect(growth(series(wavy, (minute) => 60 + 3 * minute))).toContain("open files grew");
});
