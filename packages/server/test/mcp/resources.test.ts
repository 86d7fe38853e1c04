import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callTool, postMcp } from '../support/mcp-call.ts';
import { type RealTestServer, startRealTestServer } from '../support/real-test-server.ts';

const RUN = 'changgu__actions__run';
const REAL = { env: 'real_test' };
const LISTEN = 'subscriptions/listen';

let real: RealTestServer;
let issued: { job_id: string; links: { type: string; uri: string }[] };

beforeAll(async () => {
  real = await startRealTestServer();
  const run = async (args: Record<string, unknown>) =>
    (await callTool(real.server, RUN, args, REAL)).body.result;
  await run({ action: 'tax_portal.s1.login' });
  const asked = await run({ action: 'tax_portal.c1.vat_standard', request_id: 'resources-1' });
  const { structuredContent, content } = await run(asked.structuredContent.next_step.arguments);
  issued = { job_id: structuredContent.job_id, links: content.slice(1) };
});
afterAll(() => real[Symbol.asyncDispose]());

async function connect(era: '2026-07-28' | '2025-11-25', language = 'ko'): Promise<Client> {
  const client = new Client(
    { name: 'reading-host', version: '1.0.0' },
    { versionNegotiation: { mode: era === '2026-07-28' ? { pin: era } : 'legacy' } },
  );
  const headers = { ...real.server.headers('real_test'), 'accept-language': language };
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', real.server.url), {
      requestInit: { headers },
    }),
  );
  return client;
}

describe.each(['2026-07-28', '2025-11-25'] as const)('a host of %s', (era) => {
  it('reads the file that a result links to, and the reading is in the audit log', async () => {
    expect(issued.links).toMatchObject([
      { type: 'resource_link', uri: `changgu://jobs/${issued.job_id}/files/1` },
    ]);
    const host = await connect(era);
    const { contents } = await host.readResource({ uri: issued.links[0]?.uri ?? '' });
    const [content] = contents;
    expect(content?.mimeType).toBe('application/pdf');
    const bytes = Buffer.from(content && 'blob' in content ? content.blob : '', 'base64');
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    await host.close();
    const { body } = await real.server.call('GET', '/v1/admin/audit?act=artifact.download', {
      headers: { authorization: `Bearer ${real.server.adminToken}` },
    });
    expect(JSON.stringify(body)).toContain(issued.job_id);
  });

  it('reads the job, finds it in the list, and is shown where else to read', async () => {
    const host = await connect(era);
    const uri = `changgu://jobs/${issued.job_id}`;
    const { contents } = await host.readResource({ uri });
    const [content] = contents;
    expect(JSON.parse(content && 'text' in content ? content.text : '{}')).toMatchObject({
      job_id: issued.job_id,
      status: 'SUCCEEDED',
    });
    expect((await host.listResources()).resources.map((one) => one.uri)).toContain(uri);
    expect((await host.listResourceTemplates()).resourceTemplates).toHaveLength(2);
    await host.close();
  });

  it.each([
    'changgu://jobs/job_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'changgu://jobs/job_01ARZ3NDEKTSV4RRFFQ69G5FAV/files/1',
    'file:///etc/passwd',
  ])('is refused %s', async (uri) => {
    const host = await connect(era);
    await expect(host.readResource({ uri })).rejects.toMatchObject({ code: -32_602 });
    await host.close();
  });

  it.each(['ko', 'en'])('is given the five common jobs as prompts, in %s', async (language) => {
    const host = await connect(era, language);
    const { prompts } = await host.listPrompts();
    expect(prompts).toHaveLength(5);
    const { messages } = await host.getPrompt({
      name: 'issue_certificate',
      arguments: { certificate: 'VAT' },
    });
    const [message] = messages;
    const text = message?.content.type === 'text' ? message.content.text : '';
    expect(text).toContain("'VAT'");
    expect(/\p{Script=Hangul}/u.test(text)).toBe(language === 'ko');
    await expect(host.getPrompt({ name: 'issue_certificate' })).rejects.toMatchObject({
      code: -32_602,
    });
    await host.close();
  });
});

describe('a host that listens', () => {
  it('hears of the job that it asked about, and of no other', async () => {
    const host = await connect('2026-07-28');
    const heard: string[] = [];
    const first = Promise.withResolvers<void>();
    host.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      heard.push(params.uri);
      first.resolve();
    });
    const job = await real.client.jobs.submit({ action: 'bank_a.accounts.list', params: {} });
    const uri = `changgu://jobs/${job.id}`;
    const subscription = await host.listen({ resourceSubscriptions: [uri] });
    const [other] = await Promise.all([
      real.client.jobs.submit({ action: 'bank_b.accounts.list', params: {} }),
      first.promise,
    ]);
    await other.wait();
    expect(new Set(heard)).toEqual(new Set([uri]));
    await subscription.close();
    await host.close();
  });

  it('cannot do so within a batch, whose answer has to end', async () => {
    const listen = { jsonrpc: '2.0', id: 1, method: LISTEN, params: { notifications: {} } };
    const { status, body } = await postMcp(real.server, [listen], REAL);
    expect([status, body.error.code]).toEqual([400, -32_600]);
  });
});
