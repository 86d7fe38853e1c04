import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startTestServer } from './support/start-server.ts';

it('D14 an ended job is gone after job_retention_days, and its key is free again', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'changgu-retention-'));
  const file = join(directory, 'config.toml');
  await writeFile(file, 'job_retention_days = 2\n');
  await using server = await startTestServer({ env: { CONFIG: file } });
  const body = { provider: 'bank_a', action: 'bank_a.accounts.list' };
  const submit = () => server.call('POST', '/v1/jobs', { key: 'kept', body });
  const first = await submit();
  const read = () => server.call('GET', `/v1/jobs/${first.body.job_id}`);
  await server.ended(first.body.job_id);
  await server.advanceClock(2 * 86_400 - 60);
  expect([(await read()).status, (await submit()).status]).toEqual([200, 200]);
  await server.advanceClock(120);
  expect((await read()).status).toBe(404);
  const again = await submit();
  expect(again.status).toBe(202);
  expect(again.body.job_id).not.toBe(first.body.job_id);
  await rm(directory, { recursive: true });
});
