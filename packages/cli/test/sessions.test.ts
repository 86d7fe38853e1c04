import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FakeService } from '@changgu/sdk/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { widthOf } from '../src/output/width.ts';
import { type TestHome, testHome } from './support/run.ts';
import { screenOf } from './support/screen.ts';
import { DOWN } from './support/terminal.ts';

/**
 * The day of an operator, as docs/cli.md shows it. Every block there that follows `<!-- session … -->` is what the
 * commands really write; `vitest run -u` writes it down again.
 */
const DOCS = new URL('../../../docs/cli.md', import.meta.url);
const HISTORY = 'bank_b.accounts.transaction_history.search';
const COUNTER = ['온새미로식당', '(주)한강유통', '국민건강보험', '관악정보통신'];

let home: TestHome;
let service: FakeService;

beforeAll(async () => {
  const { clock } = new FakeService();
  const down = new Set(['account-2']);
  service = new FakeService({ clock })
    .willEnd(HISTORY, ({ bank_account_credential_id: account }) => {
      if (down.delete(String(account))) return { state: 'FAILED', code: 'PROVIDER_UPSTREAM_ERROR' };
      return { state: 'SUCCEEDED', data: statement(), files: [excel()] };
    })
    .willEnd('bank_b.accounts.list', { state: 'FAILED', code: 'PROVIDER_CREDENTIAL_REJECTED' })
    .route(({ path }) => (path === '/v1/credentials' ? { status: 200, body: links() } : null));
  for (const n of [1, 2, 3]) {
    service.addBankAccounts({
      provider: 'bank_b',
      accountLinkId: 'c0f3a1d2-5a6e-4c8b-9b1d-3f2e1a0b9c8d',
      bankAccountCredentialId: `account-${n}`,
      maskedAccountNo: `201*******50${n}1`,
    });
  }
  home = await testHome({
    CHANGGU_BASE_URL: service.baseUrl,
    CHANGGU_CLIENT_ID: 'cli_fake',
    CHANGGU_CLIENT_SECRET: 'fake-secret',
    NO_COLOR: '1',
    TERM: 'xterm',
  });
  await mkdir(join(home.dir, 'statements'));
});
afterAll(() => home[Symbol.asyncDispose]());

function statement() {
  const rows = COUNTER.map((counterparty, index) => ({
    row_index: index + 1,
    transacted_at: `2026-11-${20 - index}T1${index}:30:00+09:00`,
    deposit_amount: index === 1 ? 12_500_000 : 0,
    withdrawal_amount: index === 1 ? 0 : 185_000 * (index + 1),
    balance_after: 25_947_423 - 185_000 * index,
    description: index === 1 ? '인터넷입금' : '체크카드',
    counterparty,
    branch: '강남중앙',
    memo: '11월분',
  }));
  return {
    success: true,
    account_no: '201*******5011',
    currency: 'KRW' as const,
    closing_balance: 25_947_423,
    row_count: rows.length,
    items: rows,
  };
}

function excel() {
  return { name: '거래내역_20261120.xlsx', bytes: new TextEncoder().encode('xlsx') };
}

function links() {
  const link = {
    auth_type: 'certificate',
    is_primary: true,
    registered_at: '2026-03-02T09:00:00.000+09:00',
    status: 'ACTIVE',
    biz_number: null,
    business_name: null,
    selected_assets: null,
    unlinked_at: null,
    unlink_reason: null,
  };
  const cert = { subject_cn: '한강유통', issuer: 'yessignCA', serial: '1', oid: null };
  const days = (count: number) =>
    new Date(service.clock.now() + count * 86_400_000).toISOString().replace('Z', '+09:00');
  return {
    items: [
      {
        ...link,
        account_link_id: 'c0f3a1d2-5a6e-4c8b-9b1d-3f2e1a0b9c8d',
        provider: 'bank_b',
        display_label: '급여 계좌',
        cert: { ...cert, not_after: days(9) },
      },
      {
        ...link,
        account_link_id: '7d3f0a64-1f5b-4d6e-8c2a-90b1c2d3e4f5',
        provider: 'tax_portal',
        display_label: null,
        cert: { ...cert, not_after: days(200) },
      },
    ],
  };
}

/** The names of runs on the page, in the order in which they start. */
const RUNS = ['run-20261121T000000Z-1a2b3c4d', 'run-20261121T000100Z-5e6f7a8b'];
const runs = new Map<string, string>();

function settledRun(id: string): string {
  const name = runs.get(id) ?? RUNS[runs.size] ?? id;
  runs.set(id, name);
  return name;
}

/** Other names that time and chance give. */
const SETTLED: readonly [RegExp, string][] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}(?=")/g, '…'],
  [/trc_[0-9a-f]{32}/g, 'trc_4f5e…'],
];

/** What a terminal of this width shows. */
async function play(commands: readonly string[], columns: number, lang: string): Promise<string> {
  let screen = '';
  for (const command of commands) {
    const argv = command.split(' ').slice(1);
    const ran = await service.clock.runUntil(
      home.run([...argv, '--lang', lang], {
        fetch: service.fetch,
        clock: service.clock,
        tty: { stdout: true, columns },
      }),
    );
    // What a table cannot fit it leaves out; a request in JSON is whole.
    const lines = ran.stdout.startsWith('{') ? [] : ran.stdout.split('\n');
    for (const line of lines) expect(widthOf(line), line).toBeLessThanOrEqual(columns);
    screen += `$ ${command}\n${ran.screen}${ran.code === 0 ? '' : `[${ran.code}]\n`}\n`;
  }
  const named = screen.replaceAll(/run-\d{8}T\d{6}Z-[0-9a-f]{8}/g, settledRun);
  const settled = SETTLED.reduce((text, [from, to]) => text.replaceAll(from, to), named);
  return settled.replaceAll(home.dir, '/home/ops').trimEnd();
}

/** A missing id is chosen with these keys: the list as it is before Enter, then what comes of it. */
async function choose(command: string, keys: readonly string[]): Promise<string> {
  let seen = '';
  let list = '';
  const ran = await service.clock.runUntil(
    home.run(command.split(' ').slice(1), {
      fetch: service.fetch,
      clock: service.clock,
      tty: { stdout: true, stderr: true, columns: 80 },
      keys: ['', ...keys],
      onStderr(text) {
        seen += text;
        const shown = screenOf(seen).join('\n');
        if (shown.includes('›')) list = shown.trimEnd();
      },
    }),
  );
  const rest = ran.stderr.slice(ran.stderr.lastIndexOf('$ changgu'));
  return [`$ ${command}`, list, `${rest}${ran.stdout}`.trimEnd()].join('\n');
}

const PICKER = /(<!-- picker (.*) -->\n+```\n)([\s\S]*?)(\n```)/;
const BLOCK = /(<!-- session columns=(\d+) lang=(ko|en) -->\n+```\n)([\s\S]*?)(\n```)/g;

describe('the sessions of docs/cli.md', { timeout: 60_000 }, () => {
  it('are what the commands write, on terminals of 80 and 120 columns, in Korean and English', async () => {
    const docs = await readFile(DOCS, 'utf8');
    const played: string[] = [];
    for (const [, , columns = '', lang = '', text = ''] of docs.matchAll(BLOCK)) {
      const commands = [...text.matchAll(/^\$ (changgu .*)$/gm)].map(([, command = '']) => command);
      const screen = await play(commands, Number(columns), lang);
      played.push(screen);
    }
    expect(played.length).toBeGreaterThanOrEqual(4);
    const again = docs.replaceAll(
      BLOCK,
      (_, open: string, __, ___, ____, close: string) => `${open}${played.shift() ?? ''}${close}`,
    );
    const [, , command = ''] = PICKER.exec(docs) ?? [];
    const chosen = await choose(command, [DOWN, '\r']);
    const whole = again.replace(
      PICKER,
      (_, open: string, __, ___, close: string) => `${open}${chosen}${close}`,
    );
    await expect(whole).toMatchFileSnapshot(DOCS.pathname);
  });
});
