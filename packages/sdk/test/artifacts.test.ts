import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Artifact } from '@changgu/sdk';
import { describe, expect, it, onTestFinished } from 'vitest';
import { request, testClient } from './support/client.ts';
import { ACTION, failureOf, fake } from './support/fake.ts';
import {
  type Answer,
  json,
  refusal,
  resultBody,
  scriptedServer,
} from './support/scripted-server.ts';

const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
const sha256 = createHash('sha256').update(bytes).digest('hex');
const etag = `"${sha256}"`;

function artifactAt(url: string, more: Partial<Artifact> = {}): Artifact {
  return {
    jobId: 'job_1',
    artifactId: 'art_1',
    name: 'statement.xlsx',
    contentType: null,
    sizeBytes: bytes.length,
    sha256,
    expiresAt: null,
    expired: false,
    downloadUrl: `${url}/file?sig=first`,
    ...more,
  };
}

const whole: Answer = (_, response) => {
  response.writeHead(200, { etag });
  response.end(bytes);
};

/** Sends some bytes and cuts the connection. */
function cutAfter(count: number): Answer {
  return (_, response: ServerResponse) => {
    response.writeHead(200, { etag, 'content-length': bytes.length });
    response.write(bytes.subarray(0, count), () =>
      setTimeout(() => response.socket?.destroy(), 30),
    );
  };
}

const range: Answer = ({ headers }, response) => {
  const start = Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1]);
  response.writeHead(206, { etag, 'content-range': `bytes ${start}-${bytes.length - 1}/*` });
  response.end(bytes.subarray(start));
};

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'changgu-sdk-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

describe('files of jobs', () => {
  it('are saved whole, readable by the owner only, with nothing left beside them', async () => {
    const { url } = await scriptedServer(whole);
    const folder = await temporaryFolder();
    const to = join(folder, 'statement.xlsx');
    await testClient(url).artifacts.download(artifactAt(url), { to });
    expect(await readFile(to)).toEqual(bytes);
    expect((await stat(to)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['statement.xlsx']);
  });

  it('are saved under the longest name that a file may have', async () => {
    const { url } = await scriptedServer(whole);
    const folder = await temporaryFolder();
    const name = `${'가'.repeat(83)}.xlsx`;
    expect(Buffer.byteLength(name)).toBe(254);
    await testClient(url).artifacts.download(artifactAt(url), { to: join(folder, name) });
    expect(await readdir(folder)).toEqual([name]);
  });

  it('resume by Range after the connection broke, under the tag of the first answer', async () => {
    const { url, seen } = await scriptedServer(cutAfter(60_000), range);
    const got = await testClient(url).artifacts.bytes(artifactAt(url));
    expect(Buffer.from(got)).toEqual(bytes);
    const { headers } = seen[1] ?? {};
    expect(headers?.range).toMatch(/^bytes=\d+-$/);
    expect(headers?.['if-range']).toBe(etag);
    expect(headers?.['accept-encoding']).toBe('identity');
  });

  it('begin anew when the rest does not belong to the first part', async () => {
    const { url } = await scriptedServer(cutAfter(60_000), whole);
    const folder = await temporaryFolder();
    const to = join(folder, 'f');
    await testClient(url).artifacts.download(artifactAt(url), { to });
    expect(await readFile(to)).toEqual(bytes);
  });

  it('cannot begin anew in a stream that was already read from', async () => {
    const { url } = await scriptedServer(cutAfter(60_000), whole);
    const read = async () => {
      for await (const _ of testClient(url).artifacts.stream(artifactAt(url)));
    };
    expect(await failureOf(read())).toMatchObject({ code: 'ARTIFACT_UNAVAILABLE' });
  });

  it('are refused when the checksum is another, and nothing is left on disk', async () => {
    const { url } = await scriptedServer(whole);
    const folder = await temporaryFolder();
    const artifact = artifactAt(url, { sha256: '0'.repeat(64) });
    const saving = testClient(url).artifacts.download(artifact, { to: join(folder, 'f') });
    expect(await failureOf(saving)).toMatchObject({ code: 'ARTIFACT_CORRUPT' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('are refused when there are more bytes than promised', async () => {
    const { url } = await scriptedServer(whole);
    const artifact = artifactAt(url, { sizeBytes: 10 });
    expect(await failureOf(testClient(url).artifacts.bytes(artifact))).toMatchObject({
      code: 'ARTIFACT_CORRUPT',
    });
  });

  it('end by the stall clock when the bytes stop coming', async () => {
    const { url } = await scriptedServer((_, response) => {
      response.writeHead(200, { etag });
      response.write('a');
    });
    const client = testClient(url, { stallTimeoutMs: 60, attemptTimeoutMs: 60, maxRetries: 0 });
    expect(await failureOf(client.artifacts.bytes(artifactAt(url)))).toMatchObject({
      name: 'TimeoutError',
      clock: 'stall',
    });
  });

  it('give back what their retries cost, and name their job when they fail', async () => {
    const { url } = await scriptedServer(cutAfter(50_000), range, cutAfter(50_000), range);
    const client = testClient(url, { retryBudget: { ratio: 0, burst: 1 } });
    for (let n = 0; n < 2; n += 1) {
      expect((await client.artifacts.bytes(artifactAt(url))).length).toBe(bytes.length);
    }
    const wrong = await scriptedServer(whole);
    const corrupt = artifactAt(wrong.url, { sha256: 'f'.repeat(64) });
    for (const artifact of [corrupt, artifactAt('ftp://a')]) {
      expect(await failureOf(client.artifacts.bytes(artifact))).toMatchObject({
        operation: 'downloadArtifact',
        jobId: 'job_1',
        attempts: 1,
      });
    }
  });

  it.each([
    ['a missing directory', 'missing/a.pdf', 'ENOENT'],
    ['a directory', '.', /^(EISDIR|ENOTEMPTY|EBUSY|EPERM|EEXIST)$/],
    ['a file in place of a directory', 'file/a.pdf', 'ENOTDIR'],
  ])('cannot be saved in %s, which is an error of the SDK', async (_, name, code) => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'file'), 'kept');
    const { url } = await scriptedServer(whole);
    const to = `${folder}/${name}`;
    const error = await failureOf(testClient(url).artifacts.download(artifactAt(url), { to }));
    expect(error).toMatchObject({
      name: 'ArtifactNotSavedError',
      code: 'ARTIFACT_NOT_SAVED',
      systemCode: typeof code === 'string' ? code : expect.stringMatching(code),
      message: expect.stringContaining(to),
      nextStep: { kind: 'fix_input' },
    });
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('are never saved in the place of a pipe or a device', async () => {
    const folder = await temporaryFolder();
    const to = join(folder, 'pipe');
    execFileSync('mkfifo', [to]);
    const { url } = await scriptedServer(whole);
    const error = await failureOf(testClient(url).artifacts.download(artifactAt(url), { to }));
    expect(error).toMatchObject({ name: 'ArtifactNotSavedError', systemCode: 'EEXIST' });
    expect((await stat(to)).isFIFO()).toBe(true);
    expect(await readdir(folder)).toEqual(['pipe']);
  });

  it('are saved where a link leads, which stays one', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'elsewhere'));
    await writeFile(join(folder, 'elsewhere', 'file'), 'old');
    const to = join(folder, 'link');
    await symlink(join('elsewhere', 'file'), to);
    const { url } = await scriptedServer(whole);
    await testClient(url).artifacts.download(artifactAt(url), { to });
    expect(await readlink(to)).toBe(join('elsewhere', 'file'));
    expect(await readdir(join(folder, 'elsewhere'))).toEqual(['file']);
    expect((await readFile(to)).equals(bytes)).toBe(true);
  });

  it('are saved where a link leads, also if nothing is there yet', async () => {
    const folder = await temporaryFolder();
    const to = join(folder, 'link');
    await symlink('file', to);
    const { url } = await scriptedServer(whole);
    await testClient(url).artifacts.download(artifactAt(url), { to });
    expect(await readlink(to)).toBe('file');
    expect((await readFile(join(folder, 'file'))).equals(bytes)).toBe(true);
  });

  it('renew an expired URL once, and only once', async () => {
    const expired = refusal(403, 'ARTIFACT_URL_EXPIRED', false);
    const files = await scriptedServer(expired, whole);
    const client = testClient((await serviceThatRenews(files.url)).url);
    expect(Buffer.from(await client.artifacts.bytes(artifactAt(files.url)))).toEqual(bytes);
    expect(files.seen.map(({ url }) => url)).toEqual(['/file?sig=first', '/file?sig=second']);

    const hopeless = await scriptedServer(expired);
    const other = testClient((await serviceThatRenews(hopeless.url)).url);
    expect(await failureOf(other.artifacts.bytes(artifactAt(hopeless.url)))).toMatchObject({
      code: 'ARTIFACT_URL_EXPIRED',
    });
    expect(hopeless.seen).toHaveLength(2);
  });

  it('are never fetched by a redirect or from plain http elsewhere', async () => {
    const { url } = await scriptedServer((_, response) => {
      response.writeHead(302, { location: 'https://changgu.invalid' }).end();
    });
    const client = testClient(url);
    expect(await failureOf(client.artifacts.bytes(artifactAt(url)))).toMatchObject({
      code: 'REDIRECT_REFUSED',
    });
    const plain = artifactAt('http://files.example.com');
    expect(await failureOf(client.artifacts.bytes(plain))).toMatchObject({
      code: 'ARTIFACT_UNAVAILABLE',
    });
  });

  it('resume with Range after a body that ends early without an error', async () => {
    const short: Answer = (_, response) => {
      // Without a length, an early end looks like a whole body.
      response.writeHead(200, { etag, 'transfer-encoding': 'chunked' });
      response.end(bytes.subarray(0, 70_000));
    };
    const { url, seen } = await scriptedServer(short, range);
    const client = testClient(url);
    expect(Buffer.from(await client.artifacts.bytes(artifactAt(url)))).toEqual(bytes);
    expect(seen[1]?.headers).toMatchObject({ range: 'bytes=70000-', 'if-range': etag });
  });

  it('follow the fifteen minutes of the URL and the seven days of the file (R40, R41)', async () => {
    const { client, service, clock, run } = fake();
    const files = [{ name: 'a.txt', bytes: new TextEncoder().encode('hello') }];
    service.willEnd(ACTION, { state: 'SUCCEEDED', files });
    const result = await run(client.jobs.run(request));
    const [artifact] = result.artifacts;
    if (!artifact) throw new Error('no artifact');
    await clock.advance(16 * 60_000);
    expect(new TextDecoder().decode(await client.artifacts.bytes(artifact))).toBe('hello');
    await clock.advance(7 * 24 * 3600_000);
    expect(await failureOf(client.artifacts.bytes(artifact))).toMatchObject({
      code: 'ARTIFACT_UNAVAILABLE',
    });
    expect((await client.jobs.result(result.jobId)).artifacts[0]).toMatchObject({ expired: true });
  });

  it('are deleted once (R42)', async () => {
    const { client, service, run } = fake();
    const files = [{ name: 'a.txt', bytes: new TextEncoder().encode('hello') }];
    service.willEnd(ACTION, { state: 'SUCCEEDED', files });
    const { jobId } = await run(client.jobs.run(request));
    expect(await client.jobs.deleteArtifacts(jobId)).toEqual({ jobId, deletedCount: 1 });
    expect(await client.jobs.deleteArtifacts(jobId)).toEqual({ jobId, deletedCount: 0 });
  });
});

/** A service whose result holds a fresh URL. */
function serviceThatRenews(filesUrl: string) {
  const renewed = { ...artifactWire(), download_url: `${filesUrl}/file?sig=second` };
  const answer = { ...resultBody, result: { ...resultBody.result, artifacts: [renewed] } };
  return scriptedServer(json(200, answer));
}

function artifactWire() {
  return {
    artifact_id: 'art_1',
    name: 'statement.xlsx',
    content_type: null,
    size_bytes: bytes.length,
    sha256,
    expires_at: null,
    expired: false,
    download_url: null,
  };
}
