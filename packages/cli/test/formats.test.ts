import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fetch } from '@changgu/sdk';
import { FakeService } from '@changgu/sdk/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunOptions, type TestHome, testHome } from './support/run.ts';

let home: TestHome;
beforeAll(async () => {
  home = await testHome();
  const { baseUrl, clientOptions, fetch } = new FakeService();
  const env = {
    CHANGGU_BASE_URL: baseUrl,
    CHANGGU_CLIENT_ID: clientOptions.clientId,
    CHANGGU_CLIENT_SECRET: clientOptions.clientSecret,
  };
  const keys = await home.run(['keys', '--json'], { env, fetch });
  await writeFile(join(home.dir, 'keys.json'), keys.stdout);
});
afterAll(() => home[Symbol.asyncDispose]());

/** The data, or the message of a refusal. */
async function printed(argv: readonly string[], options: RunOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await home.run([...argv, '--lang', 'en'], options);
  expect(code).toBe(stdout === '' ? 2 : 0);
  return stdout || stderr;
}

describe('a command with one value', () => {
  it.each([
    ['path', ['config', 'path'], /^\S+config\.toml$/],
    ['value', ['config', 'get', 'env_scope'], /^sandbox$/],
    ['value', ['encrypt', '--key', 'keys.json'], /^[\w+/=]{600,}$/],
  ])(
    'prints the %s of %j alone, and with its name in a format that has names',
    async (name, argv, value) => {
      const print = async (...options: string[]) => {
        const text = await printed([...argv, ...options], { stdin: '4821' });
        return text.trimEnd();
      };
      for (const bare of [[], ['-o', 'tsv'], ['-o', 'table'], ['-o', 'id']]) {
        expect(await print(...bare)).toMatch(value);
      }
      const { stdout } = await home.run(argv, {
        stdin: '4821',
        tty: { stdout: true, columns: 40 },
      });
      expect(stdout.trimEnd()).toMatch(value);
      expect(JSON.parse(await print('--json'))).toMatchObject({
        [name]: expect.stringMatching(value),
      });
      expect(await print('--jq', `.${name}`)).toMatch(value);
      const [heading, line] = (await print('-o', 'csv')).split('\r\n');
      expect(heading).toBe(name);
      expect(line).toMatch(value);
    },
  );
});

describe('audit export', () => {
  const record = { audit_id: 'a1', at: '2026-11-01T00:00:00Z', act: 'job.submit', target: '=x' };
  const fetch: Fetch = async () => Response.json({ items: [record], next_cursor: null });
  const exported = (...options: string[]) => printed(['audit', 'export', ...options], { fetch });
  beforeAll(async () => {
    const login = ['login', '--token-stdin', '--base-url', 'https://changgu.example'];
    await home.run(login, { stdin: 'token', fetch });
  });

  it('is a line of JSON for each record, unless another format is requested', async () => {
    expect(JSON.parse(await exported())).toEqual(record);
    expect(JSON.parse(await exported('--fields', 'audit_id'))).toEqual({ audit_id: 'a1' });
    expect(JSON.parse(await exported('--json'))).toEqual([record]);
    expect(await exported('-o', 'csv')).toContain('at,act,target,actor_id,address\r\n');
    expect(await exported('-o', 'id')).toBe('a1\n');
  });
});

describe('csv for a spreadsheet', () => {
  const csvOf = async (target: string, ...options: string[]) => {
    const items = [{ audit_id: 'a1', target }];
    const argv = ['audit', 'export', '-o', 'csv', '--fields', 'target', ...options];
    const text = await printed(argv, {
      fetch: async () => Response.json({ items, next_cursor: null }),
    });
    return text.split('\r\n')[1];
  };

  it.each(['=1+1', ' =1+1', '\u200e=1+1', '\u0001=1+1', '\u001b[0m=1+1', '\u2066=1+1', '＝1+1'])(
    'runs no formula, whatever hides it: %j',
    async (target) => {
      expect(await csvOf(target, '--bom')).toMatch(/^' ?[=＝]1\+1$/);
      expect(await csvOf(target)).not.toMatch(/^'/);
    },
  );

  it.each(['-1200', '이체', '\u200e-1200'])('keeps numbers and words: %j', async (target) => {
    expect(await csvOf(target, '--bom')).toBe(target.replace('\u200e', ''));
  });
});

describe('a format that a command does not have', () => {
  it.each([
    ['-o csv', ['api', '/health', '-o', 'csv']],
    ['-o table', ['api', '/health', '-o', 'table']],
    ['-o csv', ['encrypt', '--key', 'keys.json', '--field', 'a=@-', '-o', 'csv']],
  ])('%s is refused by %j, which names its own', async (_, argv) => {
    expect(await printed(argv, { stdin: '1' })).toContain(
      'supports only these formats: json, ndjson',
    );
  });

  it.each([
    ['-o', ['-o', 'csv']],
    ['--json', ['--json']],
    ['--header', ['--header']],
    ['-o', ['--header', '-o', 'csv', '--bom']],
  ])('%s is refused by name for the bytes of a file: %j', async (option, options) => {
    const argv = ['artifacts', 'download', 'job_1', '--to', '-', ...options];
    const refusal = `writes the file as it is: ${option} does not apply.`;
    expect(await printed(argv)).toContain(refusal);
  });

  it.each([
    ['--fields', ['api', '/health', '--fields', 'a']],
    ['--fields (--json=…)', ['api', '/health', '--json=a']],
    ['--header', ['api', '/health', '--header']],
    ['--jq', ['config', 'set', 'email', 'a@example.com', '--jq', '.']],
    ['--jq', ['artifacts', 'download', 'job_1', '--to', '-', '--jq', '.']],
  ])('%s is refused by name where there is nothing of its kind: %j', async (option, argv) => {
    const refusal = `${option} does not apply to the output of this command.`;
    expect(await printed(argv)).toContain(refusal);
  });

  it('is ignored by a command that prints nothing, whose errors a script reads as JSON', async () => {
    const set = (option: readonly string[]) =>
      home.run(['config', 'set', 'email', 'a@example.com', ...option]);
    expect(await set(['--json'])).toEqual({ code: 0, stdout: '', stderr: '', screen: '' });
    expect(await set(['-o', 'csv'])).toMatchObject({ code: 0, stdout: '' });
    expect(await set(['--jq', '.'])).toMatchObject({ code: 2, stdout: '' });
  });
});
