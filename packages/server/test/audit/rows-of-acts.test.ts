import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newArtifactId } from '../../src/ids.ts';
import { artifactPlace } from '../../src/store/schema/sealed-places.ts';
import {
  createPostgresDatabase,
  type TestDatabase,
} from '../../src/store/testing/describe-stores.ts';
import { callerWith, logIn, newMember, newPerson, type Person } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

const ACTION = 'bank_a.accounts.list';
const IRREVERSIBLE = 'tax_portal.c1.vat_standard';
const DAYS_31 = 31 * 86_400;

describe.each(['sqlite', 'postgres'] as const)('the audit log (%s)', (dialect) => {
  let database: TestDatabase | null = null;
  let server: TestServer;
  /** As the owner of the demo organization. */
  let asOwner: Person['call'];

  beforeAll(async () => {
    database = dialect === 'postgres' ? await createPostgresDatabase() : null;
    // No worker runs the jobs: the test itself ends them with a file.
    server = await startTestServer({
      env: { ROLE: 'api', ...(database === null ? {} : { DATABASE_URL: database.url }) },
    });
    const { email, password } = server.console;
    asOwner = callerWith(server, await logIn(server, email, password));
  }, 60_000);
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await database?.remove();
  });

  async function rowsOf(call: Person['call'], act: string, target: string) {
    const { status, body } = await call('GET', `/v1/audit?act=${act}&target=${target}&limit=100`);
    expect(status).toBe(200);
    return body.items;
  }

  /** A job that took effect at the institution and ended with a file. */
  async function jobWithEffect(): Promise<string> {
    const { core, organizationId } = server;
    const { body } = await server.call('POST', '/v1/jobs', {
      key: randomBytes(8).toString('hex'),
      body: { provider: 'bank_a', action: ACTION },
    });
    const worker = { owner: 'w', leaseMs: 30_000, pool: 'sandbox', slots: 9, held: [] } as const;
    const [job] = (await core.store.engine.claim({ ...worker, limit: 9 })).jobs;
    expect(job?.id).toBe(body.job_id);
    const run = { id: body.job_id, owner: 'w', attempt: job?.attempt ?? 0 };
    expect(await core.store.engine.passPointOfNoReturn(run)).toBe('passed');
    const id = newArtifactId();
    const file = randomBytes(100);
    await core.store.engine.finish({
      ...run,
      lane: null,
      organizationId,
      outcome: { status: 'SUCCEEDED', error: null, result: null, resultAsFile: true },
      artifacts: [
        {
          id,
          name: 'file.pdf',
          contentType: 'application/pdf',
          sizeBytes: file.length,
          sha256: createHash('sha256').update(file).digest('hex'),
          chunks: await core.vault.sealFile(String(organizationId), artifactPlace(id), file),
        },
      ],
      steps: [],
      suspension: null,
    });
    return body.job_id;
  }

  it('has a row for deleted files, with who deleted how many, and none for a repetition', async () => {
    const jobId = await jobWithEffect();
    const path = `/v1/jobs/${jobId}/artifacts`;
    expect((await server.call('DELETE', path)).body.deleted_count).toBe(1);
    expect((await server.call('DELETE', path)).body.deleted_count).toBe(0);
    expect(await rowsOf(asOwner, 'artifact.delete', jobId)).toMatchObject([
      {
        actor_kind: 'client',
        actor_id: server.client.client_id,
        organization_id: server.organizationId,
        details: { files: 1 },
      },
    ]);
  });

  it('has a row for each download, also of all bytes but the first, with where it went', async () => {
    const jobId = await jobWithEffect();
    const { body } = await server.call('GET', `/v1/jobs/${jobId}/result`);
    const [{ artifact_id: artifact, download_url: url }] = body.result.artifacts;
    const headers = { 'user-agent': 'thief/1.0' };
    expect((await fetch(url, { headers: { ...headers, range: 'bytes=1-' } })).status).toBe(206);
    const whole = await fetch(url, { headers });
    expect([whole.status, (await whole.arrayBuffer()).byteLength]).toEqual([200, 100]);
    const origin = { address: '127.0.0.1', user_agent: 'thief/1.0' };
    expect(await rowsOf(asOwner, 'artifact.download', jobId)).toMatchObject([
      { ...origin, details: { artifact_id: artifact } },
      { ...origin, details: { artifact_id: artifact, from_byte: 1 } },
    ]);
  });

  it('has at most ten rows a minute for the downloads of a file to an address', async () => {
    const jobId = await jobWithEffect();
    const { body } = await server.call('GET', `/v1/jobs/${jobId}/result`);
    const [{ download_url: url }] = body.result.artifacts;
    for (let n = 0; n < 25; n += 1) {
      const part = await fetch(url, { headers: { range: `bytes=${n}-${n}` } });
      expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 1]);
    }
    const rows = await rowsOf(asOwner, 'artifact.download', jobId);
    expect(rows.length).toBeGreaterThanOrEqual(10);
    // A new minute may have begun meanwhile.
    expect(rows.length).toBeLessThanOrEqual(20);
  });

  it('has a row for ownership that is handed over, by who had it', async () => {
    const owner = await newPerson(server);
    const heir = await newMember(server, owner, 'MEMBER');
    await owner.call('POST', '/v1/organization/ownership', { user_id: heir.userId });
    const rows = await rowsOf(heir.call, 'organization.hand_over', String(heir.userId));
    expect(rows).toMatchObject([
      {
        actor_kind: 'console_user',
        actor_id: String(owner.userId),
        organization_id: owner.organizationId,
      },
    ]);
  });

  it('tells a member who leaves from one who is removed', async () => {
    const owner = await newPerson(server);
    const leaver = await newMember(server, owner, 'ADMIN');
    const removed = await newMember(server, owner, 'MEMBER');
    await leaver.call('DELETE', `/v1/members/${leaver.userId}`);
    await owner.call('DELETE', `/v1/members/${removed.userId}`);
    const [left, gone] = [String(leaver.userId), String(removed.userId)];
    expect(await rowsOf(owner.call, 'member.leave', left)).toMatchObject([
      { actor_id: left, details: { role: 'ADMIN' } },
    ]);
    expect(await rowsOf(owner.call, 'member.leave', gone)).toEqual([]);
    expect(await rowsOf(owner.call, 'member.remove', gone)).toMatchObject([
      { actor_id: String(owner.userId), details: { role: 'MEMBER' } },
    ]);
  });

  it('has a row for a rotated key, with the overlap and without a secret', async () => {
    const { body: key } = await asOwner('POST', '/v1/app-credentials', { label: 'rotated' });
    const path = `/v1/app-credentials/${key.client_id}/rotate`;
    const { status, body } = await asOwner('POST', path, { overlap_hours: 2 });
    expect(status).toBe(200);
    const rows = await rowsOf(asOwner, 'app_credential.rotate', key.client_id);
    expect(rows).toMatchObject([
      { actor_kind: 'console_user', details: { overlap_seconds: 7_200 } },
    ]);
    expect(JSON.stringify(rows)).not.toContain(body.client_secret);
  });

  it('tells from where the act was wanted that a worker made take effect, and for which request', async () => {
    const { core } = server;
    const { body } = await server.call('POST', '/v1/jobs', {
      key: randomBytes(8).toString('hex'),
      headers: { 'user-agent': 'books/2.1' },
      body: { provider: 'tax_portal', action: IRREVERSIBLE },
    });
    const worker = { owner: 'w', leaseMs: 30_000, pool: 'sandbox', slots: 9, held: [] } as const;
    const [job] = (await core.store.engine.claim({ ...worker, limit: 9 })).jobs;
    const run = { id: body.job_id, owner: 'w', attempt: job?.attempt ?? 0 };
    expect(await core.store.engine.passPointOfNoReturn(run)).toBe('passed');
    const [submitted] = await rowsOf(asOwner, 'job.submit', body.job_id);
    expect(submitted).toMatchObject({ address: '127.0.0.1', user_agent: 'books/2.1' });
    const { actor_kind, actor_id, address, user_agent, trace_id } = submitted;
    expect(await rowsOf(asOwner, 'job.take_effect', body.job_id)).toMatchObject([
      { actor_kind, actor_id, address, user_agent, trace_id },
    ]);
  });

  it('keeps that a job took effect when the job itself is purged', async () => {
    const jobId = await jobWithEffect();
    const row = {
      act: 'job.take_effect',
      target: jobId,
      actor_kind: 'client',
      actor_id: server.client.client_id,
      details: { action: ACTION, env_scope: 'sandbox' },
    };
    expect(await rowsOf(asOwner, 'job.take_effect', jobId)).toMatchObject([row]);
    await server.advanceClock(DAYS_31);
    expect((await server.call('GET', `/v1/jobs/${jobId}`)).status).toBe(404);
    const { email, password } = server.console;
    const later = callerWith(server, await logIn(server, email, password));
    expect(await rowsOf(later, 'job.take_effect', jobId)).toMatchObject([row]);
  });
});
