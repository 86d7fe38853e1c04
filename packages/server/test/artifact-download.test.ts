import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newArtifactId } from '../src/ids.ts';
import { artifactPlace } from '../src/store/schema/sealed-places.ts';
import { errorOf } from './support/outcomes.ts';
import { startTestServer, type TestServer } from './support/start-server.ts';

const PUBLIC = 'https://files.example';
const FILE = randomBytes(1_000);
const SHA256 = createHash('sha256').update(FILE).digest('hex');

let server: TestServer;
beforeAll(async () => {
  // No worker runs the jobs: the test itself ends them with a file.
  server = await startTestServer({ env: { ROLE: 'api', PUBLIC_BASE_URL: PUBLIC } });
});
afterAll(() => server[Symbol.asyncDispose]());

let jobs = 0;

/** A job that succeeded with a file, and the address of the file as the result says it. */
async function jobWithFile(
  contentType = 'application/pdf',
): Promise<{ jobId: string; url: string }> {
  const { core, organizationId } = server;
  jobs += 1;
  const { body } = await server.call('POST', '/v1/jobs', {
    key: `file-${jobs}`,
    body: { provider: 'bank_a', action: 'bank_a.accounts.list' },
  });
  const worker = { owner: 'w', leaseMs: 30_000, pool: 'sandbox', slots: 9, held: [] } as const;
  const [job] = (await core.store.engine.claim({ ...worker, limit: 9 })).jobs;
  const artifactId = newArtifactId();
  await core.store.engine.finish({
    id: job?.id ?? '',
    owner: 'w',
    attempt: 0,
    lane: null,
    organizationId,
    outcome: { status: 'SUCCEEDED', error: null, result: null, resultAsFile: true },
    artifacts: [
      {
        id: artifactId,
        name: "A은행_거래내역_20261121_'1.pdf",
        contentType,
        sizeBytes: FILE.length,
        sha256: SHA256,
        chunks: await core.vault.sealFile(String(organizationId), artifactPlace(artifactId), FILE),
      },
    ],
    steps: [],
    suspension: null,
  });
  const result = await server.call('GET', `/v1/jobs/${body.job_id}/result`);
  return { jobId: body.job_id, url: result.body.result.download_url };
}

/** The address is the proxy's; here the server is asked behind it, without credentials. */
const get = (url: string, headers: Record<string, string> = {}) =>
  fetch(url.replace(PUBLIC, server.url), { headers });

async function refusalOf(url: string): Promise<string> {
  const answer = await get(url);
  return errorOf(Promise.resolve({ status: answer.status, body: await answer.json() }));
}

describe('a download (D67)', () => {
  it('is authorized by its signature alone, and is neither cached nor opened inline', async () => {
    const { url } = await jobWithFile();
    const answer = await get(url);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(FILE)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '1000',
      'content-disposition': `attachment; filename*=UTF-8''A%EC%9D%80%ED%96%89_%EA%B1%B0%EB%9E%98%EB%82%B4%EC%97%AD_20261121_%271.pdf`,
      etag: `"${SHA256}"`,
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
    });
  });

  it('is sent as bytes where a header cannot say what the institution called them', async () => {
    const { url } = await jobWithFile('엑셀');
    const answer = await get(url);
    const type = answer.headers.get('content-type');
    expect([answer.status, type]).toEqual([200, 'application/octet-stream']);
  });

  it('resumes where it broke off', async () => {
    const { url } = await jobWithFile();
    const rest = await get(url, { range: 'bytes=400-', 'if-range': `"${SHA256}"` });
    expect([rest.status, rest.headers.get('content-range')]).toEqual([206, 'bytes 400-999/1000']);
    expect(Buffer.from(await rest.arrayBuffer()).equals(FILE.subarray(400))).toBe(true);
    const beyond = await get(url, { range: 'bytes=1000-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */1000']);
  });

  it('has the address that was configured, whatever host the caller names', async () => {
    const { jobId } = await jobWithFile();
    const named = await new Promise<string>((resolve, reject) => {
      const headers = {
        ...server.headers(),
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'http',
      };
      const asked = request(`${server.url}/v1/jobs/${jobId}/result`, { headers }, (answer) => {
        let text = '';
        answer.on('data', (bytes: Buffer) => {
          text += bytes.toString();
        });
        answer.on('end', () => resolve(JSON.parse(text).result.download_url));
      });
      asked.on('error', reject).end();
    });
    expect(named).toMatch(
      new RegExp(`^${PUBLIC}/v1/artifacts/art_\\w{26}/download\\?exp=\\d+&sig=`),
    );
  });

  it('is refused without its signature, with one code, before it is said what there is', async () => {
    const { jobId, url } = await jobWithFile();
    const unknown = url.replace(/art_\w{26}/, 'art_01JD0000000000000000000000');
    const [, signature = ''] = url.split('sig=');
    const tampered = [
      url.replace(/sig=.*/, ''),
      url.replace(/.$/, 'g'),
      `${url}${signature}${signature}`,
      `${url}&sig=${signature}`,
      url.replace(/exp=\d+/, 'exp=99999999999999999'),
      url.replace(/art_\w{26}/, 'a'.repeat(600)),
      url.replace(/art_\w{26}/, 'art_%00'),
      unknown,
    ];
    for (const wrong of tampered) {
      expect([wrong, await refusalOf(wrong)]).toEqual([wrong, '403 ARTIFACT_URL_EXPIRED']);
    }
    await server.call('DELETE', `/v1/jobs/${jobId}/artifacts`);
    expect(await refusalOf(url)).toBe('404 ARTIFACT_NOT_FOUND');
    const { url: kept } = await jobWithFile();
    await server.advanceClock(901);
    expect(await refusalOf(kept)).toBe('403 ARTIFACT_URL_EXPIRED');
  });
});
