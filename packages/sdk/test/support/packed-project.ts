/** The package as its users get it: packed, and installed alone in an empty project. */
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import * as packing from '../../../../scripts/packed-project.ts';

export const { ROOT } = packing;
export const PACKAGE = join(import.meta.dirname, '..', '..');
export const shell = process.platform === 'win32';
const SOURCES = ['src', 'scripts', '../contract/src', 'tsup.config.ts'];

let packed: packing.PackedProject;
export let tarball = '';
export let project = '';

/** Packs and installs before the tests of a file, and removes it all after them. */
export function packProject(): void {
  beforeAll(() => {
    packed = packing.packProject(
      PACKAGE,
      SOURCES.map((name) => join(PACKAGE, name)),
    );
    tarball = packed.tarball;
    project = packed.path;
  }, 120_000);
  afterAll(() => packed.remove());
}

export const write = (name: string, text: string) => packed.write(name, text);
export const run = (...args: string[]) => packed.run(...args);
export const compile = (name: string, source: string, options?: packing.CompileOptions) => {
  packed.write(name, source);
  return packed.compile([name], options);
};

export const RUN_A_JOB = `
  const service = new FakeService();
  const client = new Changgu(service.clientOptions);
  const work = client.jobs.run({ action: 'bank_b.accounts.list', params: { a: 1 } });
  service.clock.runUntil(work).then((result) => console.log(JSON.stringify(result.data)));
`;
export const ECHO = '{"mock":true,"params_echo":{"a":1}}';

export const slow = { timeout: 120_000 };
