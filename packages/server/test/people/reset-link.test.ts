import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serverProgram } from '../../../../scripts/programs.ts';
import { ALL_ACTS } from '../../src/store/testing/no-filter.ts';
import { logIn, newPerson, tokenIn } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

const PATIENT = { timeout: 60_000 };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

function resetLink(email: string) {
  const args = ['admin', 'reset-link', '--email', email, '--base-url', server.url];
  return promisify(execFile)(
    process.execPath,
    [...serverProgram(), ...args, '--data-dir', server.dataDir],
    { timeout: 30_000 },
  );
}

it(
  'an operator lets a user in again where no email is sent, and the organization sees it',
  PATIENT,
  async () => {
    const person = await newPerson(server);
    const printed = JSON.parse((await resetLink(person.email.toUpperCase())).stdout);
    expect(printed.email).toBe(person.email);
    expect(printed.link).toContain(`${server.url}/console/reset-password#token=`);
    const body = { token: tokenIn(printed.link), new_password: 'a fresh passphrase 8' };
    const confirm = () => server.call('POST', '/v1/auth/password-reset/confirm', { body });
    expect((await confirm()).status).toBe(200);
    expect((await confirm()).body.error.code).toBe('LINK_INVALID');
    expect((await person.call('GET', '/v1/me/sessions')).status).toBe(401);
    await logIn(server, person.email, body.new_password);
    const acts = await server.core.store.audit.list({
      ...ALL_ACTS,
      act: 'user.reset_link',
      limit: 5,
    });
    expect(acts).toHaveLength(1);
    expect(acts[0]?.organizationId).not.toBeNull();
  },
);

it('prints no link for an unknown address', PATIENT, async () => {
  await expect(resetLink('unknown@example.com')).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.not.stringContaining('token'),
  });
});
