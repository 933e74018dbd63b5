/**
 * Does the work for so many of a list at a time, one part after another, and joins the answers: no statement takes long,
 * however long the list is.
 */
export async function inParts<Item, Answer>(
  list: readonly Item[],
  size: number,
  work: (part: readonly Item[]) => Promise<readonly Answer[]>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let from = 0; from < list.length; from += size)
    answers.push(...(await work(list.slice(from, from + size))));
  return answers;
}
