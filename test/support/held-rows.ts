import postgres from "postgres";
import { expect } from "vitest";

/** Does the work while somebody else holds the rows that `select` finds, at least one. */
export async function whileHeld(
  { url }: { url: string },
  select: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const other = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await other.begin(async (tx) => {
      expect(await tx.unsafe(`${select} for update`)).not.toHaveLength(0);
      await work();
    });
  } finally {
    await other.end();
  }
}
