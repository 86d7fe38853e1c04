import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverProgram } from '../../../scripts/programs.ts';

export interface DevServer {
  /** The environment in which an example finds the server. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What its data directory is; removed at the end. */
  readonly dataDir: string;
  stop(): Promise<void>;
}

/** Starts `changgu-server dev` as its own process, in an empty data directory. */
export async function startDevServer(
  envScope: 'sandbox' | 'real_test',
  settings: Readonly<Record<string, string>> = {},
): Promise<DevServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'changgu-examples-'));
  const args = [...serverProgram(), 'dev', '--port', '0', '--json', '--data-dir', dataDir];
  const server = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...settings },
  });
  const [line]: [Buffer] = (await once(server.stdout, 'data')) as [Buffer];
  const demo = JSON.parse(await readFile(JSON.parse(line.toString()).demo_file, 'utf8'));
  return {
    dataDir,
    environment: {
      ...process.env,
      CHANGGU_BASE_URL: demo.base_url,
      CHANGGU_CLIENT_ID: demo.client.client_id,
      CHANGGU_CLIENT_SECRET: demo.client.client_secret,
      CHANGGU_ENV_SCOPE: envScope,
      EXAMPLE_EMAIL: demo.console.email,
      EXAMPLE_PASSWORD: demo.console.password,
      EXAMPLE_CONTROL_URL: demo.simulators.control_url,
    },
    async stop() {
      const exit = once(server, 'exit');
      server.kill();
      await exit;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
