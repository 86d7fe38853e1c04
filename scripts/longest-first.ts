import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Begins before all others: what else runs meanwhile is done long before it ends. */
const FIRST = 'packages/console/test/console.test.ts';
/** One project after the other, for files share a worker with their own project alone; the shortest files last. */
const PROJECTS = [
  'server',
  'examples',
  'mcp-bridge',
  'cli',
  'sdk',
  'console',
  'house',
  'simulators',
  'contract',
];
/** Test files that take longest, so that none of them is left running alone at the end. */
const LONGEST = [
  'packages/server/test/commands.test.ts',
  'packages/server/test/institutions/contract-scenes.test.ts',
  'packages/server/test/packed-package.test.ts',
  'packages/server/src/institutions/features.test.ts',
  'packages/server/test/institutions/processes.test.ts',
  'packages/server/src/engine/simulation.test.ts',
  'packages/server/test/hostile-requests.test.ts',
  'packages/server/test/institutions/contract.test.ts',
  'packages/server/test/commands/operators.test.ts',
  'packages/server/test/mcp/conformance.test.ts',
  'packages/server/test/dev-process.test.ts',
  'examples/test/agent-jobs.test.ts',
  'examples/test/readme.test.ts',
  'examples/test/docs.test.ts',
  'examples/test/own-institution.test.ts',
  'packages/mcp-bridge/test/conformance.test.ts',
  'packages/mcp-bridge/test/hosts.test.ts',
  'packages/cli/test/built.test.ts',
  'packages/sdk/test/packed-package.test.ts',
  'packages/console/test/outside-login.test.ts',
  'scripts/walls.test.ts',
];

/**
 * A fresh clone knows no durations, and Vitest then begins with the largest files, which are not the longest.
 * Where it does know them, its own order is as good.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => projectPlace(a) - projectPlace(b) || place(a) - place(b));
  }
}

function projectPlace(file: TestSpecification): number {
  if (file.moduleId.endsWith(FIRST)) return -1;
  const index = PROJECTS.indexOf(file.project.name);
  return index < 0 ? PROJECTS.length : index;
}

function place({ moduleId }: TestSpecification): number {
  const index = LONGEST.findIndex((name) => moduleId.endsWith(name));
  return index < 0 ? LONGEST.length : index;
}
