import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that also have a long form take longest in their short one too: begun last, one of them would
 * run alone at the end. Those that open pages come after all others, because Node 20 follows every promise of
 * a worker once it has used Playwright. Otherwise vitest's own order: by how long they took last time, if it knows.
 */
export function longFirstPagesLast(
  longForms: readonly string[],
  pages: readonly string[],
): typeof BaseSequencer {
  const rankOf = ({ moduleId }: TestSpecification) => {
    const file = relative(process.cwd(), moduleId);
    return 2 * Number(pages.includes(file)) + Number(!longForms.includes(file));
  };
  return class extends BaseSequencer {
    override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      return (await super.sort(specifications)).toSorted((a, b) => rankOf(a) - rankOf(b));
    }
  };
}
