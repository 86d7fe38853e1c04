import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from './support/service.ts';

let service: Service;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  service = await startService();
  const { email, password } = service.server.console;
  await service.home.run(['login', '--email', email, '--password-stdin'], { stdin: password });
  const argv = ['app-credentials', 'issue', 'hooks', '--manage-webhooks', '--json'];
  const key = JSON.parse((await service.home.run(argv)).stdout);
  env = { CHANGGU_CLIENT_ID: key.client_id, CHANGGU_CLIENT_SECRET: key.client_secret };
});
afterAll(() => service[Symbol.asyncDispose]());

const run = (...argv: string[]) => service.home.run(['webhooks', ...argv, '--lang', 'en'], { env });
const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).stdout);
const CREATE = ['create', 'https://receiver.example/hook', '--type', 'job.finished'];

describe('webhooks', () => {
  it('are created with a secret that is shown once, rotated, and deleted when confirmed', async () => {
    expect((await run(...CREATE, '-o', 'id')).code).toBe(2);
    expect(await json('list')).toEqual([]);
    const { webhook_id: id, secret } = await json(...CREATE);
    expect(secret).toMatch(/^whsec_/);
    expect(await json('show', id)).not.toHaveProperty('secret');
    const rotated = await json('rotate', id, '--overlap', '1');
    expect(rotated.secret).not.toBe(secret);
    expect((await run('delete', id)).code).toBe(2);
    expect((await run('delete', id, '-y')).stdout).toBe(`${id}\tDELETED\n`);
    expect(await json('list')).toEqual([]);
  });

  it('are tested, and what was sent is shown and replayed', async () => {
    const { webhook_id: id } = await json(...CREATE);
    const sent = await json('test', id);
    expect(sent).toMatchObject({ webhook_id: id, event_type: 'webhook.test', kind: 'test' });
    expect(await json('deliveries', id)).toMatchObject([{ delivery_id: sent.delivery_id }]);
    expect(await json('replay', id, '--from', '1h')).toMatchObject({ status: 'ACCEPTED' });
    expect(await run('replay', id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('either a delivery or --from'),
    });
  });
});
