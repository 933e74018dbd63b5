export const gains = {
  exponential: (grade: number) => 2 ** grade - 1,
  linear: (grade: number) => grade,
};

/** Normalised discounted cumulative gain of the first ten, 0 to 1 (Järvelin and Kekäläinen 2002). */
export function ndcgOf(
  found: readonly number[],
  wanted: readonly number[],
  gain: (grade: number) => number = gains.exponential,
): number {
  const sum = (grades: readonly number[]) =>
    grades.slice(0, 10).reduce((total, grade, i) => total + gain(grade) / Math.log2(i + 2), 0);
  return sum(found) / sum(wanted.toSorted((x, y) => y - x));
}

/** The share of the right products that was found, 0 to 1. */
export function recallOf(found: readonly number[], wanted: readonly number[]): number {
  const right = (grades: readonly number[]) => grades.filter((grade) => grade > 0).length;
  return right(found) / right(wanted);
}

/** 0 for an empty list. */
export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Lines of right-aligned columns, the first left-aligned. */
export function toTable(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) =>
    Math.max(...rows.map((row) => row[i]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))),
    )
    .map((cells) => cells.join("  "))
    .join("\n");
}
