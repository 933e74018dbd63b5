/** What is wrong with a cron expression. */
export type CronFault =
  | { code: "fields"; expression: string; found: number }
  | { code: "values"; faults: readonly { field: string; value: string }[] }
  | { code: "both_days" }
  | { code: "never" };

const fieldTexts = new Map([
  ["minute", "minute (0 to 59)"],
  ["hour", "hour (0 to 23)"],
  ["dayOfMonth", "day of month (1 to 31)"],
  ["month", "month (1 to 12, or jan to dec)"],
  ["dayOfWeek", "day of week (0 to 7, or sun to sat)"],
]);

/** The fault as the API shows it. */
export function toCronFaultText(fault: CronFault): string {
  switch (fault.code) {
    case "fields":
      return `"${fault.expression}" has ${fault.found} fields; expected 5: minute hour day-of-month month day-of-week`;
    case "values":
      return fault.faults
        .map(({ field, value }) => {
          return `"${value}" cannot be used as ${fieldTexts.get(field) ?? "expression"}`;
        })
        .join("; ");
    case "both_days":
      return "day-of-month and day-of-week cannot both be set; leave one of them as *";
    case "never":
      return "it never fires";
  }
}
