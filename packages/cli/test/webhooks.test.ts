import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestHome, testHome } from './support/run.ts';
import { type Service, startService } from './support/service.ts';

let service: Service;
/** Has a key that may manage webhooks, and no login. */
let home: TestHome;
beforeAll(async () => {
  service = await startService();
  const { email, password } = service.server.console;
  await service.home.run(['login', '--email', email, '--password-stdin'], { stdin: password });
  const argv = ['app-credentials', 'issue', 'hooks', '--manage-webhooks', '--json'];
  const key = JSON.parse((await service.home.run(argv)).stdout);
  home = await testHome({
    ...service.env,
    CHANGGU_CLIENT_ID: key.client_id,
    CHANGGU_CLIENT_SECRET: key.client_secret,
  });
});
afterAll(async () => {
  await home[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const run = (...argv: string[]) => home.run(['webhooks', ...argv, '--lang', 'en']);
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
    const tty = { stdout: true, stderr: true, columns: 160 } as const;
    const asked = await home.run(['webhooks', 'delete', id], { tty, keys: ['', 'n'] });
    expect(asked).toMatchObject({ code: 130, stdout: '' });
    expect(asked.stderr).toContain(`웹훅 https://receiver.example/hook(${id})`);
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

  it.each(['environment', 'profile'])(
    'are managed by an owner whose %s also has a key without that right (D158)',
    async (place) => {
      const { url, client, console: person } = service.server;
      await using owner = await testHome({ CHANGGU_BASE_URL: url });
      const key = ['--client-id', client.client_id, '--secret-stdin'];
      const logins = [
        { argv: ['--email', person.email, '--password-stdin'], stdin: person.password },
        ...(place === 'profile' ? [{ argv: key, stdin: client.client_secret }] : []),
      ];
      for (const { argv, stdin } of logins) {
        expect(await owner.run(['login', ...argv], { stdin })).toMatchObject({ code: 0 });
      }
      const keys = place === 'profile' ? {} : service.env;
      const asOwner = async (...argv: string[]) => {
        const ran = await owner.run(['webhooks', ...argv, '--json'], { env: keys });
        expect(ran).toMatchObject({ code: 0 });
        return JSON.parse(ran.stdout);
      };
      const { webhook_id: id } = await asOwner(...CREATE);
      expect(await asOwner('show', id)).toMatchObject({ webhook_id: id });
      expect((await asOwner('rotate', id)).secret).toMatch(/^whsec_/);
      const { delivery_id: sent } = await asOwner('test', id);
      expect(await asOwner('deliveries', id)).toMatchObject([{ delivery_id: sent }]);
      await asOwner('replay', id, sent);
      await asOwner('replay', id, '--from', '1h');
      await asOwner('delete', id, '-y');
      expect(JSON.stringify(await asOwner('list'))).not.toContain(id);
    },
  );
});
