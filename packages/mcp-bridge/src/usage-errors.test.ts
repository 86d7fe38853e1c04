import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runProgram } from './program.ts';

const CONNECTION = {
  CHANGGU_BASE_URL: 'http://127.0.0.1:9',
  CHANGGU_CLIENT_ID: 'cli_1',
  CHANGGU_CLIENT_SECRET: 'secret',
};
const RESOURCE = { ...CONNECTION, CHANGGU_MCP_RESOURCE: 'https://bridge.example/mcp' };

async function told(
  args: readonly string[],
  env: Record<string, string>,
  code = 2,
): Promise<string> {
  const lines: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  // The SDK reads the connection from the process.
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  expect(await runProgram(args, env)).toBe(code);
  return lines.join('').trimEnd();
}

describe('a wrong usage of the bridge', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  it.each<[readonly string[], Record<string, string>, string, string]>([
    [
      ['serve'],
      {},
      '없는 명령입니다: serve. --help로 명령을 확인하십시오.',
      'There is no command serve. See --help.',
    ],
    [['http', 'now'], {}, '필요 없는 인수입니다: now', 'Unexpected argument now.'],
    [
      ['--profile', 'work'],
      {},
      'install에서만 사용하는 옵션입니다: --profile',
      '--profile is for install only.',
    ],
    [
      ['--listen', '127.0.0.1:4020'],
      {},
      'http에서만 사용하는 옵션입니다: --listen',
      '--listen is for http only.',
    ],
    [
      ['install', 'cursor', '--listen', '127.0.0.1:4020'],
      {},
      'http에서만 사용하는 옵션입니다: --listen',
      '--listen is for http only.',
    ],
    [
      ['http', '--yes'],
      {},
      'install에서만 사용하는 옵션입니다: --yes',
      '--yes is for install only.',
    ],
    [['install', 'cursor', 'now'], {}, '필요 없는 인수입니다: now', 'Unexpected argument now.'],
    [['--tolsets', 'bank'], {}, '알 수 없는 옵션입니다: --tolsets', "Unknown option '--tolsets'"],
    [
      ['--listen'],
      {},
      '옵션의 값을 확인하십시오: --listen <value>',
      "Option '--listen <value>' argument missing",
    ],
    [
      ['--wait-cap', '281'],
      {},
      '--wait-cap: 1–280의 정수만 사용할 수 있습니다. 입력한 값은 "281"입니다.',
      '--wait-cap must be an integer 1–280, not "281"',
    ],
    [
      [],
      { CHANGGU_MCP_READ_ONLY: 'yes' },
      'CHANGGU_MCP_READ_ONLY: 1 또는 0만 사용할 수 있습니다. 입력한 값은 "yes"입니다.',
      'CHANGGU_MCP_READ_ONLY must be 1 or 0, not "yes"',
    ],
    [
      ['--toolsets', 'banks'],
      {},
      '--toolsets: bank, tax, employment, insurance, other, all 중에서만 사용할 수 있습니다. 입력한 값은 "banks"입니다.',
      '--toolsets must be some of bank, tax, employment, insurance, other, all, not "banks"',
    ],
    [
      [],
      { CHANGGU_MCP_READONLY: '1' },
      '창구에 없는 설정입니다: CHANGGU_MCP_READONLY. 혹시 CHANGGU_MCP_READ_ONLY입니까?',
      'CHANGGU_MCP_READONLY is not a setting of Changgu; did you mean CHANGGU_MCP_READ_ONLY?',
    ],
    [['--tools', 'bank_z'], CONNECTION, '없는 도구입니다: bank_z', 'There is no tool bank_z.'],
    [
      ['http'],
      CONNECTION,
      'CHANGGU_MCP_TOKEN은 16자 이상이어야 합니다.',
      'CHANGGU_MCP_TOKEN must have at least 16 characters.',
    ],
    [
      ['http', '--listen', 'nowhere'],
      { ...CONNECTION, CHANGGU_MCP_TOKEN: 'a-token-of-16-and-more' },
      '--listen은 host:port 형식이어야 합니다. 입력한 값은 "nowhere"입니다.',
      '--listen must be host:port, not nowhere.',
    ],
    [
      ['http'],
      { ...RESOURCE, CHANGGU_MCP_TOKEN: 'a-token-of-16-and-more' },
      'CHANGGU_MCP_TOKEN과 CHANGGU_MCP_RESOURCE 중 하나만 설정하십시오.',
      'Set CHANGGU_MCP_TOKEN or CHANGGU_MCP_RESOURCE, not both.',
    ],
    [
      ['http'],
      RESOURCE,
      'CHANGGU_MCP_RESOURCE를 사용하려면 CHANGGU_MCP_INTROSPECTION_ID',
      'CHANGGU_MCP_RESOURCE needs CHANGGU_MCP_INTROSPECTION_ID',
    ],
    [
      ['--secrets', '/no/such/file.json'],
      CONNECTION,
      '/no/such/file.json 파일을 JSON으로 읽을 수 없습니다.',
      '/no/such/file.json cannot be read as JSON.',
    ],
  ])('%j %j is told in the language of the terminal', async (args, env, ko, en) => {
    expect(await told(args, { ...env, LANG: 'ko_KR.UTF-8' })).toContain(ko);
    vi.restoreAllMocks();
    expect(await told(args, { ...env, LANG: 'en_US.UTF-8' })).toContain(en);
  });

  it.each([
    [['http'], 'CHANGGU_MCP_TOKEN'],
    [['http', '--listen', 'nowhere'], 'CHANGGU_MCP_TOKEN'],
    [['--secrets', '/no/such/file.json'], 'cannot be read'],
  ] as const)('is told before the service is asked: %j', async (args, text) => {
    const requests: unknown[] = [];
    const service = createServer((request, response) => {
      requests.push(request.url);
      response.writeHead(503).end();
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const address = service.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const env = { ...CONNECTION, CHANGGU_BASE_URL: `http://127.0.0.1:${port}` };
    expect(await told(args, { ...env, LANG: 'en_US.UTF-8' })).toContain(text);
    expect(requests).toEqual([]);
    service.close();
  });
});

it('what a service answers commands no terminal', async () => {
  const code = 'X\u009b2J\u001b[2J\u202e';
  const body = JSON.stringify({ error: { code, message: code, trace_id: 't', details: {} } });
  const service = createServer((_, response) => {
    response.writeHead(403, { 'content-type': 'application/json' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const address = service.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const env = { ...CONNECTION, CHANGGU_BASE_URL: `http://127.0.0.1:${port}` };
  const door = { CHANGGU_MCP_RESOURCE: 'https://bridge.example/mcp' };
  const introspection = {
    CHANGGU_MCP_INTROSPECTION_ID: 'i',
    CHANGGU_MCP_INTROSPECTION_SECRET: 's',
  };
  const said = await told(['http'], { ...env, ...door, ...introspection }, 1);
  service.close();
  expect(said).toContain('2J');
  expect(said).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
});
