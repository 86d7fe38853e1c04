import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type RealTestServer,
  startRealTestServer,
} from '../../server/test/support/real-test-server.ts';
import { type RunningHttp, serveHttp } from '../src/serve-http.ts';
import { bridgeTo } from './support/bridge.ts';
import { inProcessHost } from './support/in-process-host.ts';

const TOKEN = 'token-of-the-reading-host';
const CERTIFICATE = { service: 'tax_portal.c1.vat_standard' };

let real: RealTestServer;
let http: RunningHttp;
let issued: { job_id: string; files: { name: string; uri: string; saved_as?: string }[] };

beforeAll(async () => {
  real = await startRealTestServer();
  const bridge = await bridgeTo(real.server, { envScope: 'real_test' });
  http = await serveHttp(bridge, { listen: '127.0.0.1:0', door: { token: TOKEN } });
  const host = await connect('2026-07-28');
  const call = async (service: object) =>
    (await host.callTool({ name: 'run_service', arguments: { ...service } })).structuredContent;
  await call({ service: 'tax_portal.s1.login' });
  // biome-ignore lint/suspicious/noExplicitAny: read as far as it is expected
  const asked = (await call(CERTIFICATE)) as any; // oxlint-disable-line typescript/no-explicit-any
  issued = (await call({ ...CERTIFICATE, ...asked.next[0].arguments })) as typeof issued;
  await host.close();
});
afterAll(async () => {
  await http.close();
  await real[Symbol.asyncDispose]();
});

async function connect(era: '2026-07-28' | '2025-11-25'): Promise<Client> {
  const client = new Client(
    { name: 'reading-host', version: '1.0.0' },
    { versionNegotiation: { mode: era === '2026-07-28' ? { pin: era } : 'legacy' } },
  );
  const headers = { authorization: `Bearer ${TOKEN}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(http.url), { requestInit: { headers } }),
  );
  return client;
}

describe.each(['2026-07-28', '2025-11-25'] as const)('a host on another machine, %s', (era) => {
  it('reads the file that a result links to, though nothing was saved for it', async () => {
    const host = await connect(era);
    const [file] = issued.files;
    expect(file).toMatchObject({ uri: `changgu://jobs/${issued.job_id}/files/1` });
    expect(file?.saved_as).toBeUndefined();
    const { contents } = await host.readResource({ uri: file?.uri ?? '' });
    const [content] = contents;
    const bytes = Buffer.from(content && 'blob' in content ? content.blob : '', 'base64');
    expect(content?.mimeType).toBe('application/pdf');
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    await host.close();
  });

  it('reads the job itself, and finds it in the list', async () => {
    const host = await connect(era);
    const uri = `changgu://jobs/${issued.job_id}`;
    const { contents } = await host.readResource({ uri });
    const [content] = contents;
    const job = JSON.parse(content && 'text' in content ? content.text : '{}');
    expect(job).toMatchObject({ status: 'SUCCEEDED', job_id: issued.job_id, files: [{}] });
    expect(content && 'text' in content ? content.text : '').not.toContain('base64');
    const { resources } = await host.listResources();
    expect(resources.map((one) => one.uri)).toContain(uri);
    const { resourceTemplates } = await host.listResourceTemplates();
    expect(resourceTemplates).toHaveLength(2);
    await host.close();
  });

  it.each([
    'changgu://jobs/job_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'changgu://jobs/job_01ARZ3NDEKTSV4RRFFQ69G5FAV/files/1',
    'file:///etc/passwd',
    'changgu://jobs/../../etc/passwd',
  ])('is told that %s is nothing it can read', async (uri) => {
    const host = await connect(era);
    await expect(host.readResource({ uri })).rejects.toMatchObject({
      message: expect.stringMatching(/not found|JOB_NOT_FOUND/i),
    });
    await host.close();
  });
});

describe('a host that subscribes', () => {
  it('hears over HTTP of a job that ends, by a request that stays open (2026-07-28)', async () => {
    const host = await connect('2026-07-28');
    const heard = Promise.withResolvers<string>();
    host.setNotificationHandler('notifications/resources/updated', ({ params }) =>
      heard.resolve(params.uri),
    );
    const job = await real.client.jobs.submit({ action: 'bank_a.accounts.list', params: {} });
    const uri = `changgu://jobs/${job.id}`;
    const subscription = await host.listen({ resourceSubscriptions: [uri] });
    expect(await heard.promise).toBe(uri);
    await subscription.close();
    await host.close();
  });

  it('hears on a connection of its own, until it no longer wants to (2025-11-25)', async () => {
    const { client } = await inProcessHost(await bridgeTo(real.server, { envScope: 'real_test' }));
    const updates: string[] = [];
    const heard = Promise.withResolvers<void>();
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updates.push(params.uri);
      heard.resolve();
    });
    const [watched, other] = await Promise.all(
      ['bank_a.accounts.list', 'bank_b.accounts.list'].map((action) =>
        real.client.jobs.submit({ action, params: {} }),
      ),
    );
    const uri = `changgu://jobs/${watched?.id}`;
    await client.subscribeResource({ uri });
    await Promise.all([watched?.wait(), other?.wait()]);
    await heard.promise;
    expect(new Set(updates)).toEqual(new Set([uri]));
    await client.unsubscribeResource({ uri });
    await client.close();
  });
});

describe('a caller that may not read links', () => {
  it('learns neither owner nor account, from a job or from a question (D167)', async () => {
    const account_link_id = await real.linkLogin('bank_b', 'unreadmember', 'demo1234!');
    const id = await real.addAccount(account_link_id, '20140399990019', '6159');
    const made = await bridgeTo(real.server, { envScope: 'real_test' });
    const [reader, other] = await Promise.all([
      inProcessHost(made),
      inProcessHost({ ...made, mayReadLinks: false }),
    ]);
    const { job_id, error } = await reader.call('bank_b_transactions', {
      account_link_id,
      bank_account_credential_id: id,
      wait_seconds: 30,
    });
    expect(error.user_action).toContain('0019');
    const less = await other.call('job_result', { job_id });
    expect(less.error.user_action).toContain(account_link_id);
    expect(less.error.user_action).not.toContain('0019');
    const args = { ...CERTIFICATE, request_id: 'whose' };
    const owner = /\d{3}-?\d{2}-?\d{5}/;
    expect((await reader.call('run_service', args)).data.summary).toMatch(owner);
    expect((await other.call('run_service', args)).data.summary).not.toMatch(owner);
  });
});

describe('a job that a caller may not call', () => {
  it('is none to it: it reads neither result nor file, and neither lists nor cancels it', async () => {
    const made = await bridgeTo(real.server, { envScope: 'real_test' });
    const host = await inProcessHost({ ...made, sees: (id) => id.startsWith('bank_b.') });
    const { job_id } = issued;
    const hidden = { status: 'REFUSED', error: { code: 'JOB_NOT_FOUND' } };
    expect(await host.call('job_result', { job_id })).toMatchObject(hidden);
    expect(await host.call('job_cancel', { job_id })).toMatchObject(hidden);
    const { data } = await host.call('job_list', { limit: 100 });
    expect(JSON.stringify(data)).not.toContain('tax_portal');
    for (const path of ['', '/files/1']) {
      const read = host.client.readResource({ uri: `changgu://jobs/${job_id}${path}` });
      await expect(read).rejects.toThrow('JOB_NOT_FOUND');
    }
  });
});
