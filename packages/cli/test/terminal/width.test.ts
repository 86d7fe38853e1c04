import { stripVTControlCharacters } from 'node:util';
import { loadCatalogue } from '@changgu/sdk/catalogue';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { widthOf } from '../../src/output/width.ts';
import { type Placeholders, READING, thingsToActOn, wordsOf } from '../support/every-command.ts';
import { type Service, startService } from '../support/service.ts';

/** They write data for programs, which a line break would spoil. */
const WHOLE = /^(keys|encrypt|audit export|commands|events)/;

let service: Service;
let placeholders: Placeholders;

beforeAll(async () => {
  service = await startService({ links: true });
  placeholders = { ...(await thingsToActOn(service)), ...(await furnish(service)) };
});
afterAll(() => service[Symbol.asyncDispose]());

/** A row for every list: a webhook, a key with a long name, a person, a failed job, a run. */
async function furnish({ home }: Service): Promise<Placeholders> {
  const idOf = async (...argv: string[]) => {
    const { code, stdout, stderr } = await home.run([...argv, '-o', 'id']);
    expect(code, stderr).toBe(0);
    return stdout.trim();
  };
  const label = '야간 거래내역 수집 서버(서울)';
  const issued = await home.run(['app-credentials', 'issue', label, '--manage-webhooks', '--json']);
  const key = JSON.parse(issued.stdout);
  const env = { CHANGGU_CLIENT_ID: key.client_id, CHANGGU_CLIENT_SECRET: key.client_secret };
  const webhook = ['webhooks', 'create', 'https://receiver.example/hooks/changgu/production'];
  const created = await home.run([...webhook, '--type', 'job.finished', '--json'], { env });
  const { webhook_id: id } = JSON.parse(created.stdout);
  await home.run(['webhooks', 'test', id], { env });
  await home.run(['members', 'invite', 'a-rather-long-name@accounting.example.com']);
  const outcome = '--sandbox-outcome=FAILED;code=PROVIDER_CREDENTIAL_REJECTED';
  const failed = await idOf('jobs', 'submit', 'bank_b.accounts.list', outcome);
  await home.run(['jobs', 'wait', failed]);
  await home.run(['all-accounts', 'run', 'bank_b.accounts.transaction_history.search']);
  return { WEBHOOK: id, FAILED: failed };
}

const SHOWN = [
  ...READING.filter((line) => !WHOLE.test(line)),
  'jobs get FAILED',
  'jobs get FAILED --timeline',
  'jobs list --status FAILED',
];

/** A line is as wide as the terminal at most. What is copied is whole: a word that is wider, and a command. */
function tooWide(text: string, columns: number): string[] {
  return stripVTControlCharacters(text)
    .split(/[\r\n]+/)
    .filter((line) => widthOf(line) > columns && /\S\s+\S/.test(line) && !/^ {2}\$ /.test(line));
}

describe.each([40, 80])('on a terminal of %i columns', { timeout: 60_000 }, (columns) => {
  const show = async (words: readonly string[], lang: string) => {
    const tty = { stdout: true, columns } as const;
    return service.home.run([...words, '--lang', lang], { tty, env: { TERM: 'xterm' } });
  };

  it.each(SHOWN)('`%s` fits', async (line) => {
    for (const lang of ['ko', 'en']) {
      const { stdout } = await show(wordsOf(line, placeholders), lang);
      expect(tooWide(stdout, columns)).toEqual([]);
    }
  });

  it('what there is to know of every action fits', async () => {
    const { actions } = await loadCatalogue();
    for (const id of actions.keys()) {
      const { stdout } = await show(['actions', 'show', id], 'ko');
      expect(tooWide(stdout, columns), id).toEqual([]);
    }
  });
});
