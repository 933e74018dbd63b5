/** read: may look at everything and change nothing. */
const operatorRoles = ["read", "operate"] as const;

export interface Operator {
  name: string;
  role: (typeof operatorRoles)[number];
}

export interface OperatorToken extends Operator {
  token: string;
}

/** The name of whoever holds the token of OPS_TOKEN or of DATA_DIR. */
const firstOperator = "ops";

export const tokenMinChars = 32;
/** Clients send others in different encodings, or not at all. */
export const asciiText = /^[ -~]*$/;
const nameRule = /^[\p{L}\p{N}._-]{1,64}$/u;

/** Reads `name:role:token, …`, the form of OPS_TOKENS. */
export function readOperators(entries: readonly string[]) {
  /** Tell entries by their place, because a wrong entry may be a bare token. */
  const faults: string[] = [];
  const names = new Set([firstOperator]);
  const tokens = new Set<string>();
  const operators = entries.flatMap((entry, i): OperatorToken[] => {
    const [name = "", given, ...rest] = entry.split(":");
    const token = rest.join(":");
    const role = operatorRoles.find((known) => known === given);
    const refuse = (fault: string) => void faults.push(`OPS_TOKENS, entry ${i + 1}: ${fault}`);
    if (rest.length === 0) refuse("must be name:role:token");
    else {
      if (!nameRule.test(name)) {
        refuse("the name must be 1 to 64 letters, digits, dots, dashes or underscores");
      } else if (names.has(name)) refuse("the name is taken already; names must differ");
      if (role === undefined) refuse(`the role must be one of: ${operatorRoles.join(", ")}`);
      if (token.length < tokenMinChars) {
        refuse(`the token must have at least ${tokenMinChars} characters`);
      } else if (!asciiText.test(token)) refuse("the token must have only ASCII characters");
      else if (tokens.has(token)) refuse("the token belongs to another entry; tokens must differ");
    }
    names.add(name);
    tokens.add(token);
    return role === undefined ? [] : [{ name, role, token }];
  });
  return { operators, faults };
}

export function operatorsOf(deps: {
  opsToken: string;
  operators: readonly OperatorToken[];
}): readonly OperatorToken[] {
  return [{ name: firstOperator, role: "operate", token: deps.opsToken }, ...deps.operators];
}
