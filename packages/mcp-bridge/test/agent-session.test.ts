import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type RealTestServer,
  startRealTestServer,
} from '../../server/test/support/real-test-server.ts';
import { bridgeTo } from './support/bridge.ts';
import { type InProcessHost, inProcessHost } from './support/in-process-host.ts';

/** A fixed agent at work: what it is told by one answer is all it knows for the next call. */
let real: RealTestServer;
let host: InProcessHost;

beforeAll(async () => {
  real = await startRealTestServer({ BANK_PRODUCT_CAP: '2' });
  host = await inProcessHost(await bridgeTo(real.server, { envScope: 'real_test' }));
});
afterAll(() => real[Symbol.asyncDispose]());

describe('a scripted agent', () => {
  it('begins with session_status, and learns of environment, tokens and links', async () => {
    const status = await host.call('session_status');
    expect(status).toMatchObject({
      status: 'OK',
      data: { key: { valid: true }, env_scope: 'real_test', tokens_remaining: expect.any(Number) },
    });
    // It decides which environment takes the link (D160).
    const purposes = status.data.links.map(({ purpose }: { purpose: string }) => purpose);
    expect(new Set(purposes)).toEqual(new Set(['test']));
  });

  it('logs in when it is told to, and finds the service it wants', async () => {
    const { data } = await host.call('search_services', { query: '증명 목록' });
    expect(data.services.map(({ service }: { service: string }) => service)).toContain(
      'tax_portal.c1.certificates_list',
    );
    const search = { service: 'tax_portal.c1.certificates_list' };
    const refused = await host.call('run_service', search);
    expect(refused).toMatchObject({ status: 'FAILED', error: { code: 'AUTH_REQUIRED' } });
    const loggedIn = await host.follow(refused.next[0]);
    expect(loggedIn).toMatchObject({ status: 'SUCCEEDED', service: 'tax_portal.s1.login' });
    // The same call again is a new one: the failure was told.
    expect(await host.call('run_service', search)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('reads all accounts over the cap, and continues where the first call stopped', async () => {
    let answer = await host.call('bank_c_transactions', { all_accounts: true, wait_seconds: 0 });
    expect(answer.status).toBe('RUNNING');
    expect(answer.data.accounts).toHaveLength(4);
    const jobs = new Map<string, string>();
    for (let round = 0; answer.next && round < 20; round += 1) {
      const { arguments: args, tool } = answer.next[0];
      answer = await host.call(tool, { ...args, wait_seconds: 10 });
      for (const line of answer.data.accounts) {
        if (line.status === 'SUCCEEDED') jobs.set(line.bank_account_credential_id, line.job_id);
      }
    }
    expect(answer.status).toBe('SUCCEEDED');
    expect(jobs.size).toBe(4);
    // Exactly one job per account, however many rounds it took.
    const { items } = await real.client.jobs.list({ provider: 'bank_c', limit: 100 });
    expect(items).toHaveLength(4);
  });

  it('issues a certificate once the person agreed, and finds the same job again', async () => {
    const asked = await host.call('run_service', { service: 'tax_portal.c1.vat_standard' });
    expect(asked.status).toBe('CONFIRMATION_REQUIRED');
    const issued = await host.follow(asked.next[0]);
    expect(issued).toMatchObject({
      status: 'SUCCEEDED',
      files: [{ mime_type: 'application/pdf' }],
    });
    const path = fileURLToPath(issued.files[0].saved_as);
    expect((await readFile(path)).subarray(0, 5).toString()).toBe('%PDF-');
    expect((await stat(path)).mode & 0o077).toBe(0);
    const again = await host.call('run_service', { service: 'tax_portal.c1.vat_standard' });
    expect(again).toMatchObject({ job_id: issued.job_id, deduplicated: true });
  });

  it('is told what a bank under maintenance means, and loses no other account to a failing one', async () => {
    const link = await real.linkLogin('bank_b', 'agentmember', 'demo1234!');
    const good = await real.addAccount(link, '20140399990017', '1234');
    const down = await real.addAccount(link, '20140399990503', '1234');
    const answer = await host.call('bank_b_transactions', {
      account_link_id: link,
      bank_account_credential_ids: [good, down],
      wait_seconds: 30,
    });
    expect(answer.status).toBe('PARTIAL');
    const lines = Object.fromEntries(
      answer.data.accounts.map((line: { bank_account_credential_id: string }) => [
        line.bank_account_credential_id,
        line,
      ]),
    );
    expect(lines[good]).toMatchObject({ status: 'SUCCEEDED' });
    expect(lines[down]).toMatchObject({
      status: 'FAILED',
      error: {
        code: 'PROVIDER_MAINTENANCE',
        next_action: expect.stringContaining('until the maintenance is over'),
      },
    });
  }, 60_000);

  it('runs the failed accounts again by `next` as it is given', async () => {
    const link = await real.linkLogin('bank_b', 'nextmember', 'demo1234!');
    const accounts = [
      await real.addAccount(link, '20140399990031'),
      await real.addAccount(link, '20140399990042'),
    ].sort();
    const jobs = async () =>
      (await real.client.jobs.list({ provider: 'bank_b', limit: 100 })).items.length;
    await bankB('DOWN');
    const args = { account_link_id: link, bank_account_credential_ids: accounts };
    const failed = await host.call('bank_b_transactions', { ...args, wait_seconds: 50 });
    await bankB('HEALTHY');
    expect(failed.status).toBe('FAILED');
    const [next] = failed.next;
    expect(next.tool).toBe('bank_b_transactions');
    expect(next.arguments.bank_account_credential_ids.toSorted()).toEqual(accounts);
    const before = await jobs();
    const done = await host.follow(next);
    expect(done).toMatchObject({ status: 'SUCCEEDED' });
    expect(await jobs()).toBe(before + 2);
    expect(await host.follow(next)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await jobs()).toBe(before + 2);
  }, 60_000);
});

async function bankB(state: 'DOWN' | 'HEALTHY'): Promise<void> {
  const answer = await fetch(`${real.simulators.controlUrl}/bank_b/state`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ state }),
  });
  expect(answer.ok).toBe(true);
}
