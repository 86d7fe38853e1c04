import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { serverProgram } from '../../../../scripts/programs.ts';

interface Demo {
  readonly base_url: string;
  readonly organization_id: number;
  readonly client: { readonly client_id: string; readonly client_secret: string };
  readonly console: { readonly email: string; readonly password: string };
  readonly admin: { readonly token: string };
  readonly account_links: Readonly<Record<string, string>>;
  readonly simulators: { readonly control_url: string };
}

export interface DevServer extends Demo {
  readonly dataDir: string;
  /** Submits a job as the demo client and answers its id. */
  submit(action: string, options?: SubmitOptions): Promise<string>;
  /** Calls as the demo client, or by the given headers. */
  call(method: string, path: string, body?: unknown, headers?: Headers): Promise<Response>;
  /** Lets the simulated institution take so long for each answer. */
  slowDown(provider: string, latencyMs: number): Promise<void>;
  close(): Promise<void>;
}

type Headers = Readonly<Record<string, string>>;

interface SubmitOptions {
  readonly params?: unknown;
  readonly env?: string;
  readonly outcome?: string;
  readonly link?: string;
}

/** `changgu-server dev` with simulated institutions, as `npm start` runs it, by default on a port of its own. */
export async function startDevServer(
  more: Readonly<Record<string, string>> = {},
  port = 0,
): Promise<DevServer> {
  const folder = await mkdtemp(join(tmpdir(), 'changgu-console-'));
  const args = ['dev', '--port', String(port), '--json', '--data-dir', folder];
  const child = spawn(process.execPath, [...serverProgram(), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, CHANGGU_RATE_LIMIT: '100000/60', ...more },
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  const ready: { demo_file: string } = JSON.parse(line);
  const demo: Demo = JSON.parse(await readFile(ready.demo_file, 'utf8'));
  const basic = btoa(`${demo.client.client_id}:${demo.client.client_secret}`);

  function call(method: string, path: string, body?: unknown, headers: Headers = {}) {
    return fetch(new URL(path, demo.base_url), {
      method,
      headers: {
        authorization: `Basic ${basic}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  return {
    ...demo,
    dataDir: folder,
    call,
    async submit(action, { params = {}, env = 'sandbox', outcome, link } = {}) {
      const [provider] = action.split('.', 1);
      const body = { provider, action, params, ...(link ? { account_link_id: link } : {}) };
      const answer = await call('POST', '/v1/jobs', body, {
        'x-env-scope': env,
        'idempotency-key': crypto.randomUUID(),
        ...(outcome ? { 'x-sandbox-outcome': outcome } : {}),
      });
      const job: { job_id?: string } = await answer.json();
      if (job.job_id === undefined) throw new Error(JSON.stringify(job));
      return job.job_id;
    },
    async slowDown(provider, latencyMs) {
      await fetch(`${demo.simulators.control_url}/${provider}/state`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ state: 'HEALTHY', latency_ms: latencyMs, error_rate: 0 }),
      });
    },
    async close() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
