import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

const bin = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/conformance/dist/index.js',
);

export interface SuiteRun {
  readonly exitCode: number | null;
  readonly output: string;
  /** Scenarios as the summary lists them. */
  readonly scenarios: readonly { name: string; passed: number; failed: number }[];
}

/** One run of the official suite against a server. */
export async function runSuite(url: string, ...args: string[]): Promise<SuiteRun> {
  const run = spawn(process.execPath, [bin, 'server', '--url', url, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  for (const stream of [run.stdout, run.stderr]) {
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  }
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    run.once('error', reject);
    run.once('close', resolve);
  });
  const output = Buffer.concat(chunks).toString();
  const lines = output.matchAll(/^[✓✗~] ([a-z0-9-]+): (\d+) passed, (\d+) failed/gmu);
  const scenarios = [...lines].map(([, name = '', passed, failed]) => ({
    name,
    passed: Number(passed),
    failed: Number(failed),
  }));
  return { exitCode, output, scenarios };
}
