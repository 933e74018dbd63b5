/** What is wrong with a cron expression. */
export type CronFault =
  | { code: "fields"; expression: string; found: number }
  | { code: "values"; faults: readonly { field: string; value: string; message: string }[] }
  | { code: "both_days" }
  | { code: "never" };

/** The fault as the API shows it. */
export function toCronFaultText(fault: CronFault): string {
  switch (fault.code) {
    case "fields":
      return `"${fault.expression}" has ${fault.found} fields; expected 5: minute hour day-of-month month day-of-week`;
    case "values":
      return fault.faults.map(({ field, message }) => `${field}: ${message}`).join("; ");
    case "both_days":
      return "day-of-month and day-of-week cannot both be set; leave one of them as *";
    case "never":
      return "it never fires";
  }
}
