import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  demoCertificates,
  type RealTestServer,
  startRealTestServer,
} from '../../server/test/support/real-test-server.ts';
import { bridgeTo } from './support/bridge.ts';
import { type InProcessHost, inProcessHost } from './support/in-process-host.ts';

const ISSUE = 'tax_portal.c1.vat_standard';
const LOGIN = 'tax_portal.s1.login';

let real: RealTestServer;
let host: InProcessHost;

beforeAll(async () => {
  real = await startRealTestServer();
  host = await inProcessHost(await bridgeTo(real.server, { envScope: 'real_test' }));
});
afterAll(() => real[Symbol.asyncDispose]());

const jobsOf = async (action: string) => {
  const { items } = await real.client.jobs.list({ limit: 100 });
  return items.filter((job) => job.action === action);
};

async function issue(args: Record<string, unknown>) {
  const asked = await host.call('run_service', { service: ISSUE, ...args });
  return asked.status === 'CONFIRMATION_REQUIRED' ? host.follow(asked.next[0]) : asked;
}

describe('an act that cannot be undone', () => {
  it('is submitted anew after a login that a failure without effect asked for (D03)', async () => {
    const certificate = demoCertificates.soleProprietor;
    const account_link_id = await real.linkCertificate('tax_portal', certificate);
    const failed = await issue({ account_link_id });
    expect(failed).toMatchObject({
      status: 'FAILED',
      had_effect: 'no',
      error: { code: 'AUTH_REQUIRED' },
    });
    expect(await host.follow(failed.next[0])).toMatchObject({ status: 'SUCCEEDED' });
    const issued = await issue({ account_link_id });
    expect(issued).toMatchObject({ status: 'SUCCEEDED' });
    expect(issued.job_id).not.toBe(failed.job_id);
  });

  it('is never submitted anew when its outcome is unknown (D165)', async () => {
    const certificate = demoCertificates.magic['0999'];
    const account_link_id = await real.linkCertificate('tax_portal', certificate);
    await host.call('run_service', { service: LOGIN, account_link_id });
    const first = await issue({ account_link_id });
    expect(first).toMatchObject({ status: 'FAILED', had_effect: 'unknown' });
    const again = await host.call('run_service', { service: ISSUE, account_link_id });
    expect(again).toMatchObject({ job_id: first.job_id, deduplicated: true });
  });

  it('is not to be repeated because it was canceled (D51)', async () => {
    const sandbox = await inProcessHost(await bridgeTo(real.server));
    const { body } = await real.server.call('POST', '/v1/jobs', {
      env: 'sandbox',
      key: 'canceled',
      headers: { 'x-sandbox-outcome': 'CANCELED' },
      body: { provider: 'tax_portal', action: ISSUE, params: {} },
    });
    expect(await sandbox.call('job_result', { job_id: body.job_id })).toMatchObject({
      status: 'CANCELED',
      error: { code: 'JOB_CANCELED', retryable: false },
    });
  });

  it('is refused with a name that it does not know, before anyone is asked', async () => {
    const args = { service: ISSUE, params: { purpose: 'bank loan' } };
    const refused = await host.call('run_service', args);
    expect(refused).toMatchObject({
      status: 'REFUSED',
      error: {
        code: 'INVALID_ARGUMENTS',
        message:
          'Not valid: purpose: does not exist; known: business_registration_no, purpose_code, submit_to_code, resident_no_display_yn, copies, language.',
        fields: [{ field: 'purpose' }],
      },
    });
  });

  it('is summed up in words, with defaults, the owner and the price (D169)', async () => {
    const asked = await host.call('run_service', {
      service: ISSUE,
      params: { purpose_code: '07', copies: 2 },
    });
    const lines = asked.data.summary.split('\n');
    expect(lines[0]).toContain("'부가가치세 과세표준증명 발급'을 신청합니다. 되돌릴 수 없습니다.");
    expect(lines[1]).toMatch(/^- 명의: .*\d{3}-?\d{2}-?\d{5}/);
    expect(lines.slice(2)).toEqual([
      '- 환경: 테스트 환경(real_test)',
      '- 사용용도: 금융기관 제출용',
      '- 제출처: 기타 (기본값)',
      '- 주민등록번호 공개: 비공개 (기본값)',
      '- 수량: 2',
      '- 발급 언어: 한글 (기본값)',
      expect.stringMatching(/^- 사용 토큰: 3 \(현재 남은 토큰 \d+\)$/),
    ]);
  });

  it('is not done at a link that the person did not see: a new primary one asks again', async () => {
    const args = { service: ISSUE, params: { purpose_code: '07' }, request_id: 'moved' };
    const asked = await host.call('run_service', args);
    await real.linkCertificate('tax_portal', demoCertificates.soleProprietor, true);
    const before = await jobsOf(ISSUE);
    expect(await host.follow(asked.next[0])).toMatchObject({
      error: { code: 'CONFIRM_TOKEN_INVALID' },
    });
    expect(await jobsOf(ISSUE)).toHaveLength(before.length);
    const again = await host.call('run_service', args);
    expect(again.data.summary).not.toBe(asked.data.summary);
  });

  it('is refused to a key that was not issued for it, before anyone is asked (D147)', async () => {
    const { body: key } = await real.server.call('POST', '/v1/app-credentials', {
      headers: {
        authorization: `Bearer ${real.server.adminToken}`,
        'x-organization-id': String(real.server.organizationId),
      },
      body: { label: 'reader', allowed_env_scopes: ['real_test'] },
    });
    const reader = await inProcessHost(
      await bridgeTo({ ...real.server, client: key }, { envScope: 'real_test' }),
    );
    const before = await jobsOf(ISSUE);
    expect(await reader.call('run_service', { service: ISSUE })).toMatchObject({
      status: 'REFUSED',
      error: {
        code: 'IRREVERSIBLE_NOT_ALLOWED',
        user_action: expect.stringContaining('allow_irreversible_tools'),
      },
    });
    expect(await jobsOf(ISSUE)).toHaveLength(before.length);
    expect((await reader.call('session_status')).data.key).toEqual({
      valid: true,
      read_only: false,
      allowed_services: 'all',
      irreversible_services: false,
    });
  });
});

describe('a login', () => {
  it('is made again once its session is gone, and not before (D125)', async () => {
    const certificate = demoCertificates.corporation;
    const account_link_id = await real.linkCertificate('tax_portal', certificate);
    const login = () => host.call('run_service', { service: LOGIN, account_link_id });
    const first = await login();
    expect(await login()).toMatchObject({ job_id: first.job_id, deduplicated: true });
    // Another program logs in with the same certificate: the portal ends this session.
    await real.advance(21 * 60);
    const search = { service: 'tax_portal.c1.certificates_list', account_link_id };
    const lost = await host.call('run_service', search);
    expect(lost).toMatchObject({ status: 'FAILED', next: [{ arguments: { account_link_id } }] });
    const second = await host.follow(lost.next[0]);
    expect(second).toMatchObject({ status: 'SUCCEEDED' });
    expect(second.job_id).not.toBe(first.job_id);
    expect(await host.call('run_service', search)).toMatchObject({ status: 'SUCCEEDED' });
  });
});
