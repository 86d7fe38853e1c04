import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type RealTestServer,
  startRealTestServer,
} from '../../server/test/support/real-test-server.ts';
import { bridgeTo } from './support/bridge.ts';
import { type InProcessHost, inProcessHost } from './support/in-process-host.ts';

/** Passwords that occur nowhere else: what is found of them has leaked. */
const PIN = '7482';
const WRONG_PIN = '6159';

let real: RealTestServer;
let link: string;
let account: { account_link_id: string; bank_account_credential_id: string };
const lines: string[] = [];

beforeAll(async () => {
  real = await startRealTestServer();
  link = await real.linkLogin('bank_b', 'secretmember', 'demo1234!');
  // Registered with a password that the bank rejects; only the reference has the right one.
  const id = await real.addAccount(link, '20140399990018', WRONG_PIN);
  account = { account_link_id: link, bank_account_credential_id: id };
});
afterAll(() => real[Symbol.asyncDispose]());

async function hostWith(env: Record<string, string>): Promise<InProcessHost> {
  const file = join(real.server.dataDir, 'secrets.json');
  await writeFile(file, JSON.stringify({ 'bank_b.account_password': { env: 'BANK_B_PIN' } }));
  const log = (level: string) => (message: string, fields?: object) =>
    void lines.push(JSON.stringify({ level, message, ...fields }));
  return inProcessHost(
    await bridgeTo(real.server, {
      envScope: 'real_test',
      env,
      values: { secrets: file },
      log: { info: log('info'), warn: log('warn'), error: log('error') },
    }),
  );
}

describe('a secret by reference', () => {
  it('reaches the bank encrypted, and is in no message and no log line', async () => {
    const host = await hostWith({ BANK_B_PIN: '1234' });
    const answer = await host.call('bank_b_transactions', { ...account, wait_seconds: 30 });
    expect(answer.status).toBe('SUCCEEDED');
    const rejected = await hostWith({ BANK_B_PIN: PIN });
    const refusal = await rejected.call('bank_b_transactions', {
      ...account,
      request_id: 'wrong-pin',
      wait_seconds: 30,
    });
    expect(refusal).toMatchObject({ error: { code: 'PROVIDER_CREDENTIAL_REJECTED' } });
    const everything = [...host.messages, ...rejected.messages, ...lines].join('\n');
    expect(everything).not.toMatch(new RegExp(`(?<![\\w-])(${PIN}|${WRONG_PIN})(?![\\w-])`));
  });

  it('goes with a retry as the same bytes: one job (D28)', async () => {
    const host = await hostWith({ BANK_B_PIN: '1234' });
    // The wrong one of the test before has suspended the other account.
    const id = await real.addAccount(link, '20140399990026', WRONG_PIN);
    // Not waited for: a failure that was told would free the request_id.
    const args = {
      account_link_id: link,
      bank_account_credential_id: id,
      request_id: 'retry',
      wait_seconds: 0,
    };
    const first = await host.call('bank_b_transactions', args);
    const second = await host.call('bank_b_transactions', args);
    expect(second).toMatchObject({ job_id: first.job_id, deduplicated: true });
  });

  it('that leads nowhere stops the call before anything is submitted', async () => {
    const host = await hostWith({});
    const { items: before } = await real.client.jobs.list({ limit: 100 });
    const answer = await host.call('bank_b_transactions', { ...account, request_id: 'none' });
    expect(answer).toMatchObject({ status: 'REFUSED', error: { code: 'SECRET_UNAVAILABLE' } });
    const { items: after } = await real.client.jobs.list({ limit: 100 });
    expect(after).toHaveLength(before.length);
  });
});
