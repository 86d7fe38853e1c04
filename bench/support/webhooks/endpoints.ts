import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { call } from '../people.ts';
import type { MeasuredServer } from '../server-process.ts';

export const TYPES = ['job.queued', 'job.started', 'job.finished'];

/** Console token of the demo organization's owner. */
export async function tokenOfOwner(
  server: Pick<MeasuredServer, 'url' | 'dataDir'>,
): Promise<string> {
  const demo = await readFile(join(server.dataDir, 'demo.json'), 'utf8');
  const { email, password } = JSON.parse(demo).console;
  const login = await call(server, 'POST', '/v1/auth/login', {}, { email, password });
  return `Bearer ${login.access_token}`;
}

export async function addEndpoints(
  server: Pick<MeasuredServer, 'url'>,
  authorization: string,
  count: number,
  url: string,
): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    await call(
      server,
      'POST',
      '/v1/webhooks',
      { authorization },
      { url, event_types: TYPES, env_scope: 'sandbox' },
    );
  }
}
