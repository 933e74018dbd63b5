import { describe, expect, inject, it } from "vitest";
import { controls } from "./controls.ts";

describe("without the defence, the naive way fails", () => {
  for (const control of controls) {
    it(control.name, async () => {
      const arena = { databaseUrl: inject("databaseUrl"), engine: inject("meili") };
      expect(await control.fails(arena)).toBeTypeOf("string");
    });
  }
});
