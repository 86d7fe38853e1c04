import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundlePrograms } from '../../../../../scripts/bundle-programs.ts';
import type { checkConnector } from '../../connector.ts';

const SOURCES = join(import.meta.dirname, '..', '..');

export interface ContractBundle {
  readonly checkConnector: typeof checkConnector;
  /** The file of a bundled connector. */
  moduleOf(name: string): string;
  remove(): Promise<void>;
}

/**
 * The contract suite and these connectors, as the package has them: a few files of JavaScript. The suite starts a
 * process for each run, and from the sources a process takes three times the work.
 */
export async function bundleContract(
  connectors: Readonly<Record<string, string>>,
): Promise<ContractBundle> {
  const outDir = await mkdtemp(join(tmpdir(), 'changgu-contract-'));
  const programs = {
    connector: join(SOURCES, 'connector.ts'),
    // Looked for beside the suite.
    'connector-run-process': join(SOURCES, 'institutions/contract/connector-run-process.ts'),
    ...connectors,
  };
  await bundlePrograms(programs, outDir);
  const suite: Pick<ContractBundle, 'checkConnector'> = await import(
    /* @vite-ignore */ pathToFileURL(join(outDir, 'connector.js')).href
  );
  return {
    checkConnector: suite.checkConnector,
    moduleOf: (name) => join(outDir, `${name}.js`),
    remove: () => rm(outDir, { recursive: true, force: true }),
  };
}
