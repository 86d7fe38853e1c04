import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { terminalLanguage } from '@changgu/contract/language';
import { describe, expect, it, vi } from 'vitest';
import type { Demo } from './demo-file.ts';
import { readyLine, welcome } from './welcome.ts';

const DEMO: Demo = {
  base_url: 'http://127.0.0.1:4010',
  organization_id: 1,
  client: { client_id: 'cli_01JD0000000000000000000000', client_secret: 'a-_B' },
  console: { email: 'a@example.com', password: 'p' },
  admin: { token: 't' },
  legacy_api_key: 'k',
  account_links: {},
  bank_accounts: {},
  simulators: null,
};

const SERVER = { demo: DEMO, consoleUrl: 'http://127.0.0.1:4010/console#once=token' };

describe('what dev prints', () => {
  it('prints one line with --json', () => {
    expect(JSON.parse(readyLine(DEMO, '.changgu'))).toMatchObject({
      ready: true,
      base_url: DEMO.base_url,
    });
    expect(readyLine(DEMO, '.changgu').trim().split('\n')).toHaveLength(1);
  });

  it('prints a line and commands that can be pasted in any directory', async () => {
    vi.spyOn(process, 'cwd').mockReturnValue(tmpdir());
    const lines = welcome(SERVER, '.changgu', 'ko').split('\n');
    const connection = lines.find((line) => line.startsWith('  export ')) ?? '';
    const [, command = ''] = /^ {2}(.+) jobs list$/m.exec(lines.join('\n')) ?? [];
    const script = `${connection}\necho "$CHANGGU_CLIENT_ID:$CHANGGU_CLIENT_SECRET"; ${command} --version`;
    const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: tmpdir() });
    expect(stdout).toMatch(/^cli_01JD0000000000000000000000:a-_B\n\d+\.\d+\.\d+\n$/);
  });

  it('prints short commands within the checkout', () => {
    vi.spyOn(process, 'cwd').mockReturnValue(join(import.meta.dirname, '../../../..'));
    expect(welcome(SERVER, '.changgu', 'ko')).toContain('\n  ./changgu jobs list\n');
  });

  it.each([
    [{}, 'ko'],
    [{ LANG: 'C.UTF-8' }, 'ko'],
    [{ LANG: 'ko_KR.UTF-8' }, 'ko'],
    [{ LANG: 'en_US.UTF-8' }, 'en'],
    [{ LANG: 'ko_KR.UTF-8', LC_ALL: 'en_GB.UTF-8' }, 'en'],
  ] as const)('takes its language from the locale: %o is %s', (env, language) => {
    expect(terminalLanguage(env)).toBe(language);
  });

  it('prints the link into the console, when there is one', () => {
    expect(welcome(SERVER, '.changgu', 'en')).toContain(`  Console (once) ${SERVER.consoleUrl}\n`);
    const without = welcome({ demo: DEMO, consoleUrl: null }, '.changgu', 'en');
    expect(without).not.toContain('Console');
  });

  it('aligns its facts in both languages', () => {
    expect(welcome(SERVER, '.changgu', 'ko')).toContain(
      '\n  주소           http://127.0.0.1:4010\n',
    );
    expect(welcome(SERVER, '.changgu', 'en')).toContain(
      '\n  Address        http://127.0.0.1:4010\n',
    );
  });
});
