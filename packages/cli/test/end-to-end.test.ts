import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startDevProcess } from '../../server/test/support/dev-process.ts';
import { testHome } from './support/run.ts';

describe('command line, SDK, server process, SQLite, worker, result', () => {
  it('a job outlives its server: SIGKILL between submit and result', {
    timeout: 60_000,
  }, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'changgu-e2e-'));
    await using home = await testHome();
    const env = (server: Awaited<ReturnType<typeof startDevProcess>>) => ({
      CHANGGU_BASE_URL: server.ready.base_url,
      CHANGGU_CLIENT_ID: server.demo.client.client_id,
      CHANGGU_CLIENT_SECRET: server.demo.client.client_secret,
    });
    try {
      // Slow enough that the job cannot have ended before the server dies.
      const first = await startDevProcess(dataDir, {
        CHANGGU_SANDBOX_DELAY_MS: '3000',
        CHANGGU_LEASE_SECONDS: '3',
      });
      const submitted = await home.run(
        ['jobs', 'submit', 'bank_b.accounts.transaction_history.search', '-p', 'direction=in'],
        { env: env(first) },
      );
      expect(submitted).toMatchObject({ code: 0 });
      const jobId = submitted.stdout.trim();
      expect(jobId).toMatch(/^job_[0-9A-Z]{26}$/);
      expect(await first.end('SIGKILL')).toBe('SIGKILL');

      const second = await startDevProcess(dataDir, { CHANGGU_LEASE_SECONDS: '3' });
      try {
        const result = await home.run(['jobs', 'result', jobId, '--wait', '--json'], {
          env: env(second),
        });
        expect(result).toMatchObject({ code: 0 });
        expect(JSON.parse(result.stdout)).toMatchObject({
          job_id: jobId,
          data: { mock: true, params_echo: { direction: 'in' } },
        });
      } finally {
        await second.end('SIGTERM');
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
