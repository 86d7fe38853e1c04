import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newPerson } from './support/people.ts';
import { startTestServer, type TestServer } from './support/start-server.ts';

let directory: string;
let server: TestServer;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'changgu-file-'));
  const file = join(directory, 'config.toml');
  await writeFile(
    file,
    'job_retention_days = 2\nevent_retention_days = 1\nauto_approve = true\ndemo_days = 0\n',
  );
  server = await startTestServer({ env: { CONFIG: file } });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

it('auto_approve opens real_test at once, and demo_days 0 for good (D91)', async () => {
  const person = await newPerson(server);
  const asked = await person.call('POST', '/v1/me/env-access-requests', {
    requested_target_env: 'real_test',
  });
  expect(asked.status).toBe(201);
  expect(asked.body).toMatchObject({
    requested_target_env: 'real_test',
    status: 'APPROVED',
    decided_at: expect.stringMatching(/\+09:00$/),
  });
  const { body: me } = await person.call('GET', '/v1/membership/me');
  expect(me).not.toHaveProperty('demo_ends_at');
  const issued = await person.call('POST', '/v1/app-credentials', {
    label: 'k',
    allowed_env_scopes: ['real_test'],
  });
  expect(issued.status).toBe(201);
});

it('deletes a finished job after job_retention_days and frees its key (D14)', async () => {
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
});

it('deletes an event after event_retention_days, and keeps the job that it tells of', async () => {
  const { body: job } = await server.call('POST', '/v1/jobs', {
    key: 'told',
    body: { provider: 'bank_a', action: 'bank_a.accounts.list' },
  });
  await server.ended(job.job_id);
  const told = async () => {
    const { body } = await server.call('GET', `/v1/events?job_id=${job.job_id}`);
    return body.items.map(({ type }: { type: string }) => type);
  };
  await server.advanceClock(86_400 - 60);
  expect(await told()).toEqual(['job.queued', 'job.started', 'job.finished']);
  await server.advanceClock(120);
  expect(await told()).toEqual([]);
  expect((await server.call('GET', `/v1/jobs/${job.job_id}`)).status).toBe(200);
});
