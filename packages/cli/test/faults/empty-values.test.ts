/** `--option "$UNSET"`: an empty value is a mistake, and none of what the option would leave out. */
import { describe, expect, it } from 'vitest';
import { testHome } from '../support/run.ts';

const ACTION = 'bank_b.accounts.transaction_history.search';
const ENV = {
  CHANGGU_BASE_URL: 'https://changgu.example',
  CHANGGU_CLIENT_ID: 'cli_test',
  CHANGGU_CLIENT_SECRET: 'not-to-be-shown',
};
const sent = async () => {
  throw new Error('sent');
};

async function refusal(...argv: string[]) {
  await using home = await testHome(ENV);
  return home.run(argv, { fetch: sent });
}

describe('an empty value', () => {
  it('of --accounts starts no run (R67)', async () => {
    for (const none of ['', ',', ' , ']) {
      await using home = await testHome(ENV);
      const argv = ['all-accounts', 'run', ACTION, '--accounts', none];
      const ran = await home.run([...argv, '--lang', 'en'], { fetch: sent });
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toBe('Error: --accounts <ids>: the value is empty.\n');
      expect((await home.run(['runs', 'list', '-o', 'id'])).stdout).toBe('');
    }
  });

  it.each([
    ['app-credentials', 'issue', '--label', 'a', '--allowed-actions'],
    ['webhooks', 'create', 'https://receiver.example', '--type'],
    ['webhooks', 'listen', '--forward', 'http://localhost:3000', '--type'],
    ['events', 'tail', '--type'],
    ['links', 'consent-url', 'bank_b', '--features'],
    ['links', 'create', 'bank_b', '--login', '--exclude-providers'],
    ['jobs', 'list', '--fields'],
    ['jobs', 'list', '--base-url'],
    ['jobs', 'list', '--profile'],
    ['jobs', 'list', '--config'],
    ['jobs', 'list', '--timeout'],
    ['jobs', 'list', '--limit'],
    ['jobs', 'submit', 'bank_b.accounts.list', '--idempotency-key'],
  ])('%s %s … is named: 2, and nothing is sent', async (...words) => {
    const option = words.at(-1) ?? '';
    const { code, stdout, stderr } = await refusal(...words, '');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^오류: .*${option}.*: 값이 비어 있습니다\\.\n$`));
  });

  it('of --json=… is named too', async () => {
    const { code, stderr } = await refusal('jobs', 'list', '--json=');
    expect(code).toBe(2);
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'USAGE', exit_code: 2 });
  });

  it('of a variable counts as unset', async () => {
    const env = { CHANGGU_PROFILE: '', CHANGGU_ENV_SCOPE: '', NO_COLOR: '' };
    await using home = await testHome({ ...ENV, ...env });
    const { code, stdout } = await home.run(['config', 'list', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ name: 'env_scope', value: 'sandbox', source: 'default' }),
    );
  });
});
