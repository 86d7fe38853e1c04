import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { deleteArtifacts } from '../artifacts/delete.ts';
import { openDownload } from '../artifacts/download.ts';
import { newArtifactId } from '../ids.ts';
import type { Store } from '../store/database.ts';
import type { NewArtifact } from '../store/queue/runs.ts';
import { artifactPlace } from '../store/schema/sealed-places.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { cancelJob } from './cancel.ts';
import { readResult } from './result.ts';
import { type JobHarness, openJobHarness } from './testing/job-harness.ts';

const FILE = randomBytes(600 * 1024);
const DAY = 86_400;

async function sealArtifact(harness: JobHarness, name: string, file: Buffer): Promise<NewArtifact> {
  const id = newArtifactId();
  return {
    id,
    name,
    contentType: 'application/pdf',
    sizeBytes: file.length,
    sha256: createHash('sha256').update(file).digest('hex'),
    chunks: await harness.vault.sealFile(String(harness.organizationId), artifactPlace(id), file),
  };
}

const ACTOR = { kind: 'client', id: 'cli_1', traceId: null } as const;

const dependencies = ({ store, vault, urlSigner }: JobHarness) => ({
  store,
  vault,
  urlSigner,
  receiptOf: async () => null,
  publicBaseUrl: () => 'https://changgu.example',
});

async function download(harness: JobHarness, url: string | null | undefined, range?: string) {
  const { pathname, searchParams } = new URL(url ?? '');
  const answer = await openDownload(dependencies(harness), {
    artifactId: pathname.split('/')[3] ?? '',
    signature: { exp: searchParams.get('exp') ?? '', sig: searchParams.get('sig') ?? '' },
    range,
    origin: { traceId: null, address: '127.0.0.1', userAgent: null },
    isRecorded: () => true,
  });
  const parts: Uint8Array[] = [];
  for await (const part of answer.body) parts.push(part);
  return { answer, bytes: Buffer.concat(parts) };
}

/** A job that succeeded with two files, the first its result. */
async function jobWithFiles(harness: JobHarness, asFile = true): Promise<string> {
  const { response } = await harness.submit();
  const artifacts = [
    await sealArtifact(harness, '거래내역_20261121.pdf', FILE),
    await sealArtifact(harness, '빈파일_20261121.pdf', Buffer.alloc(0)),
  ];
  for (const job of await harness.claim()) {
    await harness.finish(job, { artifacts, asFile, ...(asFile ? {} : { data: { rows: 1 } }) });
  }
  return response.job_id;
}

describeStores('results and files', (stores) => {
  let store: Store;

  beforeAll(async () => {
    store = await stores.open();
  });

  it('gives results of succeeded jobs only; the refusal names the state and whether to retry (R32, D13)', async () => {
    const harness = await openJobHarness(stores, store);
    const read = (id: string) => readResult(dependencies(harness), harness.access(), id);
    const under = { code: 'JOB_NOT_SUCCEEDED', status: 409, retryable: true };
    const { response } = await harness.submit();
    await expect(read(response.job_id)).rejects.toMatchObject({
      ...under,
      details: { retryAfterSeconds: 3, message: { en: expect.stringContaining('QUEUED') } },
    });
    const [job] = await harness.claim();
    await expect(read(response.job_id)).rejects.toMatchObject({
      ...under,
      details: { message: { ko: expect.stringContaining('아직 끝나지 않았습니다') } },
    });
    if (job) await harness.finish(job, { status: 'TIMEOUT', error: '{"code":"JOB_TIMEOUT"}' });
    const over = (state: string) => ({
      ...under,
      retryable: false,
      // No one should wait for a job that has ended.
      details: { message: { ko: expect.stringMatching(`^(?!.*아직).*${state}`) } },
    });
    await expect(read(response.job_id)).rejects.toMatchObject(over('TIMEOUT'));
    const failed = (await harness.submit()).response.job_id;
    for (const next of await harness.claim()) {
      await harness.finish(next, { status: 'FAILED', error: '{"code":"INTERNAL_ERROR"}' });
    }
    await expect(read(failed)).rejects.toMatchObject(over('FAILED'));
    const canceled = (await harness.submit()).response.job_id;
    await cancelJob(store, harness.access(), canceled);
    await expect(read(canceled)).rejects.toMatchObject(over('CANCELED'));
    await expect(read('job_01JD0000000000000000000000')).rejects.toMatchObject({
      code: 'JOB_NOT_FOUND',
    });
  });

  it('answers the data, and an empty list of files (R33, R35, R38, R39)', async () => {
    const harness = await openJobHarness(stores, store);
    const { response } = await harness.submit();
    const data = { rows: [1, 'é', null], 한글: '예' };
    for (const job of await harness.claim()) await harness.finish(job, { data });
    const result = await readResult(dependencies(harness), harness.access(), response.job_id);
    expect(result).toEqual({
      job_id: response.job_id,
      status: 'SUCCEEDED',
      result: { schema: 'bank_b.accounts.list.v1', data, artifacts: [] },
      finished_at: expect.stringMatching(/\+09:00$/),
    });
    expect(result.result.schema).toMatch(/^[a-z0-9_.]+\.v\d+$/);
  });

  it('answers a file as a signed URL to exactly its bytes (R34, R43, R44)', async () => {
    const harness = await openJobHarness(stores, store);
    const jobId = await jobWithFiles(harness);
    const { result } = await readResult(dependencies(harness), harness.access(), jobId);
    const [first, empty] = result.artifacts;
    expect(result).toMatchObject({ data: null, download_url: first?.download_url });
    expect(first).toMatchObject({
      artifact_id: expect.stringMatching(/^art_[0-9A-HJKMNP-TV-Z]{26}$/),
      size_bytes: FILE.length,
      expired: false,
    });
    const { answer, bytes } = await download(harness, first?.download_url);
    expect(bytes.equals(FILE)).toBe(true);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(first?.sha256);
    expect(answer).toMatchObject({ status: 200, etag: `"${first?.sha256}"` });
    expect((await download(harness, empty?.download_url)).bytes).toHaveLength(0);
    const kept = await readResult(
      dependencies(harness),
      harness.access(),
      await jobWithFiles(harness, false),
    );
    expect(kept.result.data).toEqual({ rows: 1 });
    expect(kept.result.download_url).toBeUndefined();
  });

  it('serves ranges across the borders of chunks (D67)', async () => {
    const harness = await openJobHarness(stores, store);
    const jobId = await jobWithFiles(harness);
    const { result } = await readResult(dependencies(harness), harness.access(), jobId);
    const url = result.artifacts[0]?.download_url;
    const start = 256 * 1024 - 10;
    const middle = await download(harness, url, `bytes=${start}-${start + 19}`);
    expect(middle.answer).toMatchObject({ status: 206, range: { start, end: start + 20 } });
    expect(middle.bytes.equals(FILE.subarray(start, start + 20))).toBe(true);
    await expect(download(harness, url, `bytes=${FILE.length}-`)).rejects.toMatchObject({
      code: 'ARTIFACT_RANGE_NOT_SATISFIABLE',
      details: { headers: { 'content-range': `bytes */${FILE.length}` } },
    });
  });

  it('signs URLs for 15 minutes, and a fresh one on every read (R40)', async () => {
    const harness = await openJobHarness(stores, store);
    const jobId = await jobWithFiles(harness);
    const read = async () =>
      (await readResult(dependencies(harness), harness.access(), jobId)).result.download_url;
    const url = await read();
    await store.clock.advance({ seconds: 14 * 60 + 50 });
    expect((await download(harness, url)).bytes).toHaveLength(FILE.length);
    await store.clock.advance({ seconds: 11 });
    await expect(download(harness, url)).rejects.toMatchObject({
      code: 'ARTIFACT_URL_EXPIRED',
      status: 403,
    });
    expect((await download(harness, await read())).bytes).toHaveLength(FILE.length);
    await expect(download(harness, (await read())?.replace(/.$/, 'g'))).rejects.toMatchObject({
      code: 'ARTIFACT_URL_EXPIRED',
    });
  });

  it('keeps the entry of a file but not its bytes after 7 days (R41)', async () => {
    const harness = await openJobHarness(stores, store);
    const jobId = await jobWithFiles(harness);
    await store.clock.advance({ seconds: 7 * DAY - 60 });
    const before = await readResult(dependencies(harness), harness.access(), jobId);
    expect(before.result.artifacts[0]?.expired).toBe(false);
    await store.clock.advance({ seconds: 61 });
    const { result } = await readResult(dependencies(harness), harness.access(), jobId);
    expect(result.artifacts[0]).toMatchObject({ expired: true, download_url: null });
    expect(result.download_url).toBeUndefined();
    const late = download(harness, before.result.artifacts[0]?.download_url);
    await expect(late).rejects.toMatchObject({ code: 'ARTIFACT_EXPIRED', status: 410 });
    while (await store.engine.purgeArtifactBytes());
    const left = await stores.execute(
      `select count(*) as count from artifact_chunks
       join artifacts on artifacts.id = artifact_id where job_id = ?`,
      [jobId],
    );
    expect(Number(left[0]?.count)).toBe(0);
  });

  it('deletes files once, stops their URLs at once and keeps the data (R42, D70)', async () => {
    const harness = await openJobHarness(stores, store);
    const jobId = await jobWithFiles(harness, false);
    const { result } = await readResult(dependencies(harness), harness.access(), jobId);
    const url = result.artifacts[0]?.download_url;
    const remove = () => deleteArtifacts(store, harness.access(), jobId, ACTOR);
    expect(await remove()).toEqual({ job_id: jobId, deleted_count: 2 });
    expect(await remove()).toEqual({ job_id: jobId, deleted_count: 0 });
    const after = await readResult(dependencies(harness), harness.access(), jobId);
    expect(after.result).toMatchObject({ artifacts: [], data: { rows: 1 } });
    await expect(download(harness, url)).rejects.toMatchObject({
      code: 'ARTIFACT_NOT_FOUND',
      status: 404,
    });
    const chunks = await stores.execute(
      'select artifact_id from artifact_chunks where artifact_id = ?',
      [result.artifacts[0]?.artifact_id ?? ''],
    );
    expect(chunks).toEqual([]);
    const queued = (await harness.submit()).response.job_id;
    expect((await deleteArtifacts(store, harness.access(), queued, ACTOR)).deleted_count).toBe(0);
  });

  it('keeps results and files within one environment (D22)', async () => {
    const harness = await openJobHarness(stores, store);
    const jobId = await jobWithFiles(harness);
    const elsewhere = harness.access('real_test');
    const unknown = { code: 'JOB_NOT_FOUND', status: 404 };
    await expect(readResult(dependencies(harness), elsewhere, jobId)).rejects.toMatchObject(
      unknown,
    );
    await expect(deleteArtifacts(store, elsewhere, jobId, ACTOR)).rejects.toMatchObject(unknown);
    const { result } = await readResult(dependencies(harness), harness.access(), jobId);
    expect(result.artifacts).toHaveLength(2);
  });
});
