import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Test files that take longest, so that none of them is left running alone at the end. */
const LONGEST = [
  'packages/console/test/console.test.ts',
  'packages/server/test/commands.test.ts',
  'examples/test/readme.test.ts',
  'packages/server/src/institutions/features.test.ts',
  'examples/test/sdk.test.ts',
  'packages/server/test/institutions/processes.test.ts',
  'packages/mcp-bridge/test/conformance.test.ts',
  'examples/test/own-institution.test.ts',
  'packages/server/test/packed-package.test.ts',
  'packages/server/src/engine/simulation.test.ts',
  'packages/server/test/hostile-requests.test.ts',
  'packages/mcp-bridge/test/hosts.test.ts',
  'packages/server/test/mcp/conformance.test.ts',
  'packages/server/test/dev-process.test.ts',
];

/**
 * A fresh clone knows no durations, and Vitest then begins with the largest files, which are not the longest.
 * Where it does know them, its own order is as good.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return index < 0 ? LONGEST.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}
