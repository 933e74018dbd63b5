import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that also have a long form take longest in their short one too: begun last, one of them would
 * run alone at the end. The others keep vitest's own order: by how long they took last time, if it knows.
 */
export function longFormsFirst(files: readonly string[]): typeof BaseSequencer {
  const isLater = ({ moduleId }: TestSpecification) =>
    Number(!files.includes(relative(process.cwd(), moduleId)));
  return class extends BaseSequencer {
    override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      return (await super.sort(specifications)).toSorted((a, b) => isLater(a) - isLater(b));
    }
  };
}
