import { readFileSync, statSync } from "node:fs";
import { z } from "zod";
import { isTimezone } from "../lib/calendar.ts";
import { errorCode } from "../lib/error-code.ts";

/** An account at the upstream, with its credentials. */
export interface UpstreamAccount {
  name: string;
  clientId: string;
  clientSecret: string;
  dailyLimit: number;
  timezone: string;
  maxCallsPerSecond: number;
}

const text = (rule: string) => z.string(rule).min(1, rule).max(512, rule);

function schema(maxCallsPerSecond: number) {
  const nameRule = "must be 1 to 40 of a-z, 0-9, - and _, first a letter or digit";
  const zoneRule = "must be an IANA time zone such as Asia/Tokyo";
  const limitRule = "must be a whole number from 1 to 10000000";
  const rateRule = "must be a number from 0.01 to 1000";
  const textRule = "must be a text of 1 to 512 characters";
  const account = z
    .strictObject(
      {
        name: z.string(nameRule).regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, nameRule),
        client_id: text(textRule),
        client_secret: text(textRule),
        daily_limit: z.int(limitRule).min(1, limitRule).max(10_000_000, limitRule).default(10_000),
        timezone: z.string(zoneRule).refine(isTimezone, zoneRule).default("Asia/Tokyo"),
        max_calls_per_second: z
          .number(rateRule)
          .min(0.01, rateRule)
          .max(1000, rateRule)
          .default(maxCallsPerSecond),
      },
      // Neither values nor names of unknown fields are quoted: they may be secrets.
      {
        error: ({ code }) =>
          code === "unrecognized_keys"
            ? "may only have name, client_id, client_secret, daily_limit, timezone and max_calls_per_second"
            : "must be an object",
      },
    )
    .transform((given): UpstreamAccount => ({
      name: given.name,
      clientId: given.client_id,
      clientSecret: given.client_secret,
      dailyLimit: given.daily_limit,
      timezone: given.timezone,
      maxCallsPerSecond: given.max_calls_per_second,
    }));
  return z
    .array(account, "must be a list of accounts")
    .min(1, "must list at least one account")
    .max(100, "must list at most 100 accounts")
    .superRefine((accounts, ctx) => {
      for (const field of ["name", "clientId"] as const) {
        const seen = new Set<string>();
        for (const [i, account] of accounts.entries()) {
          const path = [i, field === "name" ? "name" : "client_id"];
          if (seen.has(account[field]))
            ctx.addIssue({ code: "custom", path, message: "is that of an account before it" });
          seen.add(account[field]);
        }
      }
    });
}

/** The accounts of a file, or all its faults with their places. No fault quotes the file, which has secrets. */
export function readAccountsFile(
  path: string,
  maxCallsPerSecond: number,
): { accounts: UpstreamAccount[]; faults: string[] } {
  const failed = (...faults: string[]) => ({
    accounts: [],
    faults: faults.map((fault) => `STOREFRONT_ACCOUNTS_FILE${fault}`),
  });
  let value: unknown;
  try {
    if ((statSync(path).mode & 0o007) !== 0)
      return failed(" must not be open to other users: chmod 600");
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    return failed(
      error instanceof SyntaxError
        ? " must be JSON"
        : ` cannot be read (${errorCode(error) ?? "unknown reason"}): check the path, and that this user may read it`,
    );
  }
  const read = schema(maxCallsPerSecond).safeParse(value);
  if (read.success) return { accounts: read.data, faults: [] };
  return failed(
    ...read.error.issues.map((issue) => {
      const place = issue.path
        .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
        .join("");
      return place === "" ? ` ${issue.message}` : `: ${place.replace(/^\./, "")} ${issue.message}`;
    }),
  );
}
