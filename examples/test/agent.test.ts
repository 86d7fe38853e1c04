import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bridgeProgram } from '../../scripts/programs.ts';
import { type DevServer, startDevServer } from './support/dev-server.ts';

const AGENT = join(import.meta.dirname, '..', 'agent', 'bank-agent.ts');
let server: DevServer;

beforeAll(async () => {
  server = await startDevServer('sandbox');
});
afterAll(() => server.stop());

/** The agent, with a person who answers so. */
async function runAgent(answer: string): Promise<string> {
  const BRIDGE = [process.execPath, ...bridgeProgram()].join(' ');
  const agent = spawn(process.execPath, ['--conditions=@changgu/source', AGENT], {
    env: {
      ...server.environment,
      BRIDGE,
      CHANGGU_MCP_FILES_DIR: join(server.dataDir, 'files'),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  agent.stdin.end(`${answer}\n`);
  return Buffer.concat(await agent.stdout.toArray()).toString();
}

describe('the agent over stdio', () => {
  it('lists tools, follows a bank job to its end, and issues once its person agrees', async () => {
    const said = await runAgent('y');
    expect(said).toMatch(/^\d+ tools, first session_status\nsession \{"env_scope":"sandbox"\}\n/);
    expect(said).toMatch(/bank job job_\w+\ntransactions SUCCEEDED .*"direction":"in"/);
    expect(said).toContain('되돌릴 수 없습니다');
    expect(said).toMatch(/certificate SUCCEEDED \n$/);
  });

  it('issues nothing when its person declines', async () => {
    expect(await runAgent('n')).toMatch(/certificate DECLINED Do not call again/);
  });
});
