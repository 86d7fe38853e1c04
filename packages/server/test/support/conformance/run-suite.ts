import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const bin = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/conformance/dist/index.js',
);

export interface SuiteRun {
  readonly exitCode: number | null;
  readonly output: string;
  readonly scenarios: ReadonlyMap<string, readonly Check[]>;
}

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** One run of the official suite against a server, with all scenarios that the revision requires. */
export async function runSuite(
  url: string,
  revision: string,
  options: { readonly expectedFailures?: string } = {},
): Promise<SuiteRun> {
  const results = await mkdtemp(join(tmpdir(), 'changgu-conformance-'));
  try {
    const args = ['--url', url, '--requirements', revision, '--timeout', '5000', '-o', results];
    const { expectedFailures } = options;
    if (expectedFailures) args.push('--expected-failures', expectedFailures);
    const run = await runToEnd([bin, 'server', ...args]);
    return { ...run, scenarios: await readResults(results) };
  } finally {
    await rm(results, { recursive: true, force: true });
  }
}

/** Scenarios with a check that succeeded and none that failed. */
export function passedScenarios({ scenarios }: SuiteRun): string[] {
  return Array.from(scenarios)
    .filter(([, checks]) => {
      const statuses = checks.map(({ status }) => status);
      return statuses.includes('SUCCESS') && !statuses.includes('FAILURE');
    })
    .map(([name]) => name);
}

/** Checks of a scenario that did not succeed, warnings excepted; a scenario without checks has not been judged. */
export function complaintsOf(run: SuiteRun, scenario: string): readonly Check[] | string {
  const checks = run.scenarios.get(scenario) ?? [];
  if (!checks.some(({ status }) => status === 'SUCCESS')) return `not judged: ${run.output}`;
  return checks.filter(({ status }) => status === 'FAILURE' || status === 'SKIPPED');
}

async function runToEnd(args: readonly string[]) {
  const run = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  for (const stream of [run.stdout, run.stderr]) {
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  }
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  run.once('error', reject);
  run.once('close', resolve);
  const exitCode = await promise;
  return { exitCode, output: Buffer.concat(chunks).toString() };
}

/** Each scenario has a folder of its own, `server-<scenario>-<time>`. */
async function readResults(folder: string) {
  const names = await readdir(folder);
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, Check[]]> => {
        const checks = await readFile(join(folder, name, 'checks.json'), 'utf8');
        return [
          name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, ''),
          JSON.parse(checks),
        ];
      }),
    ),
  );
}
