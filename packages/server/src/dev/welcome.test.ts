import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
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

describe('what dev prints', () => {
  it('--json is one line', () => {
    expect(JSON.parse(readyLine(DEMO, '.changgu'))).toMatchObject({
      ready: true,
      base_url: DEMO.base_url,
    });
    expect(readyLine(DEMO, '.changgu').trim().split('\n')).toHaveLength(1);
  });

  it('the lines to paste set the connection and run the command line, in any directory', async () => {
    const lines = welcome(DEMO, '.changgu')
      .split('\n')
      .filter((line) => /^ {2}(export|changgu\(\))/.test(line));
    expect(lines).toHaveLength(2);
    const script = `${lines.join('\n')}\necho "$CHANGGU_CLIENT_ID:$CHANGGU_CLIENT_SECRET"; changgu --version`;
    const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: tmpdir() });
    expect(stdout).toMatch(/^cli_01JD0000000000000000000000:a-_B\n\d+\.\d+\.\d+\n$/);
  });
});
