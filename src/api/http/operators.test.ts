import { expect, it } from "vitest";
import { readOperators } from "./operators.ts";

const token = (letter: string) => `${letter}-canary`.padEnd(40, letter);

it("reads names, roles and tokens, which may contain colons", () => {
  const entries = [`aya:read:${token("a")}`, `ken.ito:operate:${token("b")}:c`];
  expect(readOperators(entries)).toEqual({
    operators: [
      { name: "aya", role: "read", token: token("a") },
      { name: "ken.ito", role: "operate", token: `${token("b")}:c` },
    ],
    faults: [],
  });
});

it("tells all faults at once, and no token, not even one without a name", () => {
  const { faults } = readOperators([
    token("x"),
    `aya:read:${token("a")}`,
    `aya:write:${token("a")}`,
    `two words:operate:short-canary`,
    `ops:operate:${token("c")}`,
  ]);
  expect(faults.join()).not.toContain("canary");
  expect(faults).toEqual([
    "OPS_TOKENS, entry 1: must be name:role:token",
    "OPS_TOKENS, entry 3: the name is taken already; names must differ",
    "OPS_TOKENS, entry 3: the role must be one of: read, operate",
    "OPS_TOKENS, entry 3: the token belongs to another entry; tokens must differ",
    "OPS_TOKENS, entry 4: the name must be 1 to 64 letters, digits, dots, dashes or underscores",
    "OPS_TOKENS, entry 4: the token must have at least 32 characters",
    "OPS_TOKENS, entry 5: the name is taken already; names must differ",
  ]);
});
