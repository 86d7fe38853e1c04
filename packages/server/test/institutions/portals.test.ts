import { demoCertificates, type MagicEnding } from '@changgu/simulators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from '../support/job-failure.ts';
import { realData } from '../support/real-data.ts';
import { type RealTestServer, startRealTestServer } from '../support/real-test-server.ts';

const EMPLOYMENT_LOGIN = 'employment.auth.npki_session.login';
const EDI_LOGIN = 'si_edi.auth.session.login';

let real: RealTestServer;
beforeAll(async () => {
  real = await startRealTestServer();
});
afterAll(() => real[Symbol.asyncDispose]());

describe('the employment portal through the SDK', () => {
  it('no session, login, session (R49, R51)', async () => {
    const status = () => real.client.jobs.run({ action: 'employment.auth.session.status' });
    expect((await status()).data).toMatchObject({ exists: false });
    const login = await real.client.jobs.run({ action: EMPLOYMENT_LOGIN });
    expect(login.data).toMatchObject({ authenticated: true, auth_method: 'npki_cms' });
    expect((await status()).data).toMatchObject({ exists: true, authenticated: true });
  });

  it.each([
    ['0401', 'PROVIDER_CREDENTIAL_REJECTED', false],
    ['0423', 'PROVIDER_ACCOUNT_LOCKED', false],
    ['0503', 'PROVIDER_MAINTENANCE', true],
  ] satisfies [MagicEnding, string, boolean][])(
    '…%s ends a login in %s (D142)',
    async (ending, code, retryable) => {
      const certificate = demoCertificates.magic[ending];
      const accountLinkId = await real.linkCertificate('employment', certificate);
      const running = real.client.jobs.run({ action: EMPLOYMENT_LOGIN, accountLinkId });
      expect(await failureOf(running)).toMatchObject({ code, retryable });
    },
  );

  it.each([
    ['0520', 'PROVIDER_UPSTREAM_ERROR', true],
    ['0402', 'PROVIDER_VALIDATION_ERROR', false],
  ] satisfies [MagicEnding, string, boolean][])(
    '…%s strikes after the login, where data is asked for: %s (D142)',
    async (ending, code, retryable) => {
      const certificate = demoCertificates.magic[ending];
      const accountLinkId = await real.linkCertificate('employment', certificate);
      await real.client.jobs.run({ action: EMPLOYMENT_LOGIN, accountLinkId });
      const action = 'employment.auth.session.status';
      const running = real.client.jobs.run({ action, accountLinkId });
      expect(await failureOf(running)).toMatchObject({ code, retryable });
    },
  );

  it('a rejected certificate is not presented again (D51)', async () => {
    const certificate = demoCertificates.magic['0401'];
    const accountLinkId = await real.linkCertificate('employment', certificate);
    const run = () => real.client.jobs.run({ action: EMPLOYMENT_LOGIN, accountLinkId });
    await failureOf(run());
    const { request_count: before } = await real.log('employment');
    expect(await failureOf(run())).toMatchObject({ code: 'PROVIDER_CREDENTIAL_REJECTED' });
    expect((await real.log('employment')).request_count).toBe(before);
  });
});

describe('the social-insurance EDI portal through the SDK', () => {
  const list = () => real.client.jobs.run({ action: 'si_edi.b1.resources.faqs.list' });

  /** The last file of the first form. */
  async function someFile() {
    const { data } = await real.client.jobs.run({ action: 'si_edi.b1.resources.forms.list' });
    const [row] = realData(data).items;
    const detail = await real.client.jobs.run({
      action: 'si_edi.b1.resources.forms.detail',
      params: { bbs_id: row?.bbs_id ?? '', pst_sn: row?.pst_sn ?? '' },
    });
    const file = realData(detail.data).detail.attachments.at(-1);
    return { atfl_id: file?.atfl_id ?? '', atch_file_sn: Number(file?.atch_file_sn) };
  }
  const downloadOf = (params: Awaited<ReturnType<typeof someFile>> & { dry_run?: boolean }) =>
    real.client.jobs.run({ action: 'si_edi.b1.resources.files.download', params });

  it('AUTH_REQUIRED before the login, rows after it (R52)', async () => {
    expect(await failureOf(list())).toMatchObject({ code: 'AUTH_REQUIRED', retryable: true });
    await real.client.jobs.run({ action: EDI_LOGIN });
    expect((await list()).data).toMatchObject({ row_count: 10 });
  });

  it('looks for a file, then downloads it as an artifact (R46, R47, D82)', async () => {
    const file = await someFile();
    const dry = await downloadOf(file);
    expect(dry).toMatchObject({ data: { exists: true, downloaded: false }, artifacts: [] });
    const { artifacts } = await downloadOf({ ...file, dry_run: false });
    expect(artifacts[0]?.name).toMatch(/^첨부파일_20\d{6}_.*작성예시\.pdf$/);
    expect(artifacts[0]?.sizeBytes).toBeGreaterThan(500);
  });

  it('reads JSON of another type, with something after it', async () => {
    const look = async () => realData((await downloadOf(await someFile())).data);
    const plain = await look();
    expect(plain).toMatchObject({ exists: true, downloaded: false });
    await real.switchOn('si_edi', ['json_suffix']);
    expect(await look()).toEqual(plain);
    await real.switchOn('si_edi', []);
  });

  it('a session idles out by business time, and says so (D80, D133)', async () => {
    await real.client.jobs.run({ action: EDI_LOGIN });
    await real.advance(19 * 60);
    expect((await list()).data).toMatchObject({ row_count: 10 });
    await real.advance(20 * 60 + 1);
    expect(await failureOf(list())).toMatchObject({ code: 'PROVIDER_SESSION_EXPIRED' });
  });

  it('with the link its session is gone (R131)', async () => {
    const certificate = demoCertificates.soleProprietor;
    const accountLinkId = await real.linkCertificate('si_edi', certificate);
    await real.client.jobs.run({ action: EDI_LOGIN, accountLinkId });
    const { organizationId, core } = real.server;
    const key = { organizationId, accountLinkId, envScope: 'real_test' } as const;
    const stored = await core.store.portalSessions.read(key);
    expect(Buffer.from(stored?.state ?? '').toString('latin1')).not.toContain('EDISESSION');
    await core.store.unlink.unlink({
      id: accountLinkId,
      organizationId,
      reason: 'user_request',
      actor: { kind: 'system', id: 'test', traceId: null },
    });
    expect(await core.store.portalSessions.read(key)).toBeNull();
    await core.store.portalSessions.write({ ...key, state: new Uint8Array([1]) });
    expect(await core.store.portalSessions.read(key)).toBeNull();
  });
});
