/** What the pages about the SDK show: it compiles as a strict user's program, and does what the page says. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flagsForSdk } from '../../scripts/programs.ts';
import { type DevServer, startDevServer } from './support/dev-server.ts';
import { blocks, pageText, ROOT } from './support/pages.ts';

const run = promisify(execFile);

interface Program {
  readonly page: string;
  /** What the reader brings along. */
  readonly before?: string;
  readonly after?: string;
  readonly prints: RegExp;
}

/** The blocks of a page are one program. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  readme: {
    page: 'packages/sdk/README.md',
    after: 'await client.close();',
    prints:
      /^echo: \{.*\}\njob_\w+ \S+ false\n[\s\S]*SUCCEEDED 100\n[\s\S]*SUCCEEDED\n(\d+\*+\d+ bank_c\.\S+\n)+PROVIDER_MAINTENANCE had an effect: no\n200 \S+ application\/json.*\n\[\]\n1\n$/,
  },
  events: {
    page: 'docs/events.md',
    before: `
      import { Changgu, type ServiceEvent } from '@changgu/sdk';
      const client = new Changgu();
      const { items: [first] } = await client.events.list({ limit: 1 });
      const job = await client.jobs.run({ action: 'bank_b.accounts.list' });
      let lastEventId = first?.eventId;
      const handle = async ({ type, subject }: ServiceEvent) => {
        if (subject.jobId !== job.jobId) return;
        console.log(type);
        process.exit();
      };`,
    prints: /^job\.finished\n$/,
  },
  webhooks: {
    page: 'docs/webhooks.md',
    before: `
      import { Webhook } from 'standardwebhooks';
      const secret = 'whsec_' + Buffer.alloc(32, 7).toString('base64');
      process.env.WEBHOOK_SECRET = secret;
      const body = JSON.stringify({ event_id: 'evt_1', type: 'job.finished', subject: { job_id: 'job_1' } });
      const now = new Date();
      const request = new Request('https://example.test', { method: 'POST', body, headers: {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign('evt_1', now, body),
      } });
      const enqueue = async (...facts: unknown[]) => console.log(...facts);`,
    prints: /^evt_1 job_1\n$/,
  },
  receipts: {
    page: 'docs/receipts.md',
    before: `
      import { Changgu } from '@changgu/sdk';
      const client = new Changgu({ envScope: 'real_test' });
      await client.jobs.run({ action: 'tax_portal.s1.login' });
      const { jobId } = await client.jobs.run({ action: 'tax_portal.c1.vat_standard' });
      await client.receipts.get(jobId);
      const keys = await client.receipts.keys();
      const receipts: string[] = [];
      for await (const { receipt } of client.receipts.each()) receipts.push(receipt);
      const [receipt = ''] = receipts;`,
    after: 'console.log(payload.length > 0, valid, missing);',
    prints: /^true true \[\]\n$/,
  },
};

const MODULES: Readonly<Record<string, string>> = {
  '@changgu': 'examples',
  '@opentelemetry': 'packages/sdk',
  standardwebhooks: 'packages/sdk',
  jose: 'packages/server',
  '@types': '.',
};

let folder: string;
let server: DevServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'changgu-pages-'));
  await mkdir(join(folder, 'node_modules'));
  for (const [name, home] of Object.entries(MODULES)) {
    await symlink(join(ROOT, home, 'node_modules', name), join(folder, 'node_modules', name));
  }
  for (const [name, { page, before = '', after = '' }] of Object.entries(PROGRAMS)) {
    const shown = blocks(await pageText(page), 'ts');
    await writeFile(join(folder, `${name}.ts`), [before, ...shown, after].join('\n'));
  }
  const config = { extends: join(ROOT, 'tsconfig.json'), include: ['*.ts'], exclude: [] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  server = await startDevServer('sandbox', {
    CHANGGU_SANDBOX_DELAY_MS: '0',
    CHANGGU_BANK_PRODUCT_CAP: '10',
  });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('what the pages about the SDK show', () => {
  it('compiles', async () => {
    const compiler = join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc');
    const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });

  it.each(Object.entries(PROGRAMS))('the program of %s runs', async (name, { prints }) => {
    const args = [...flagsForSdk(), join(folder, `${name}.ts`)];
    const { stdout } = await run(process.execPath, args, { cwd: folder, env: server.environment });
    expect(stdout).toMatch(prints);
  });
});
