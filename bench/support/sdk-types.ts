/** Time to type-check 200 submit calls against the built declarations, typed by their actions and untyped. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CALLS = 200;
const ROUNDS = 7;
const ROOT = join(import.meta.dirname, '..', '..');
const SDK = join(ROOT, 'packages', 'sdk');
const TSC = join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc');

/** Different actions, each call reads its result. */
const ACTIONS = [
  ['bank_a.accounts.quick_summary.get', '{}', 'data?.balance'],
  ['bank_b.accounts.transaction_history.search', "{ direction: 'in' }", 'data?.items[0]?.memo'],
  ['si_edi.b1.resources.faqs.detail', "{ qstn_sn: '1' }", 'data?.source_url'],
  ['employment.auth.session.status', '{}', 'data?.exists'],
] as const;

const CLIENT = {
  typed: 'declare const client: Changgu;',
  untyped: `declare const client: { jobs: { run(request: {
    action: string; params?: Record<string, unknown>;
  }): Promise<{ sandbox: boolean; data: Untyped }> } };
  type Untyped = { [name: string]: Untyped } & Untyped[];`,
};

function source(kind: keyof typeof CLIENT): string {
  const calls = Array.from({ length: CALLS }, (_, index) => {
    const [action, params, read] = ACTIONS[index % ACTIONS.length] ?? ACTIONS[0];
    return `export async function call${index}() {
  const result = await client.jobs.run({ action: '${action}', params: ${params} });
  return result.sandbox ? null : result.${read};
}`;
  });
  return `import type { Changgu } from '@changgu/sdk';
export type Used = Changgu;
${CLIENT[kind]}
${calls.join('\n')}
`;
}

/** Milliseconds of one compilation. */
function check(folder: string, kind: string): number {
  const start = performance.now();
  const flags =
    '--noEmit --strict --module nodenext --target es2023 --skipLibCheck --ignoreConfig --types node';
  execFileSync(process.execPath, [TSC, ...flags.split(' '), `${kind}.ts`], { cwd: folder });
  return performance.now() - start;
}

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Needs the package to be built. */
export function measureTypes() {
  const folder = join(SDK, '.types-bench');
  mkdirSync(folder, { recursive: true });
  try {
    for (const kind of ['typed', 'untyped'] as const) {
      writeFileSync(join(folder, `${kind}.ts`), source(kind));
    }
    const times = { typed: [] as number[], untyped: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const kind of ['untyped', 'typed'] as const) times[kind].push(check(folder, kind));
    }
    const [typed, untyped] = [median(times.typed), median(times.untyped)];
    return { typed, untyped, ratio: typed / untyped };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
