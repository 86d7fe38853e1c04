// The official MCP inspector on a running `dev` server and on the bridge to it: strict schemas in both eras, an error as
// an error, load. It weighs over 100 MB, so it is fetched on demand: node scripts/mcp-inspector.mjs
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';
const SOURCE = '--conditions=@changgu/source';
const SERVER = [SOURCE, 'packages/server/src/main.ts', 'dev', '--json'];
const BRIDGE = [process.execPath, SOURCE, 'packages/mcp-bridge/src/main.ts'];
const call = (name, args) => [
  '--method',
  'tools/call',
  '--tool-name',
  name,
  '--tool-args-json',
  JSON.stringify(args),
];
const TOOL = call('bank_a__accounts__list', {});

/** What the service is asked, and the exit code that is right. */
/** @type {[name: string, args: string[], expected: number][]} */
const questions = [
  ['strict schemas, 2025-11-25', ['--method', 'tools/list', '--strict'], 0],
  [
    'strict schemas, 2026-07-28',
    ['--method', 'tools/list', '--strict', '--protocol-era', 'modern'],
    0,
  ],
  ['a result', TOOL, 0],
  ['a failed job', [...TOOL, '--header', 'X-Sandbox-Outcome: FAILED'], 5],
  ['load', [...TOOL, '--load', '--load-concurrency', '10', '--load-requests', '200'], 0],
];

/**
 * What the bridge is asked over stdio, with arguments of its own.
 * @type {[name: string, own: string[], args: string[], expected: number][]}
 */
const questionsOfBridge = [
  ['strict schemas, 2025-11-25', [], ['--method', 'tools/list', '--strict'], 0],
  [
    'strict schemas, 2026-07-28',
    [],
    ['--method', 'tools/list', '--strict', '--protocol-era', 'modern'],
    0,
  ],
  [
    'strict schemas, the other services',
    ['--toolsets', 'tax,insurance'],
    ['--method', 'tools/list', '--strict'],
    0,
  ],
  ['a result', [], call('bank_a_accounts', {}), 0],
  ['a refusal', [], call('run_service', { service: 'no.such.service' }), 5],
];

const dataDir = mkdtempSync(join(tmpdir(), 'changgu-inspector-'));
const server = spawn(process.execPath, [...SERVER, '--port', '0', '--data-dir', dataDir], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const [line] = await once(createInterface({ input: server.stdout }), 'line');
  const { base_url: url, demo_file: demoFile } = JSON.parse(line);
  const { client } = JSON.parse(readFileSync(demoFile, 'utf8'));
  const pair = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64');
  const headers = ['--header', `Authorization: Basic ${pair}`, '--header', 'X-Env-Scope: sandbox'];
  const target = ['--server-url', `${url}/mcp`, '--transport', 'http', ...headers];
  for (const [name, args, expected] of questions) {
    inspect(`service: ${name}`, [...target, ...args], expected);
  }
  const env = {
    CHANGGU_BASE_URL: url,
    CHANGGU_CLIENT_ID: client.client_id,
    CHANGGU_CLIENT_SECRET: client.client_secret,
    CHANGGU_ENV_SCOPE: 'sandbox',
  };
  const given = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  for (const [name, own, args, expected] of questionsOfBridge) {
    inspect(`bridge: ${name}`, [...given, ...args, '--', ...BRIDGE, ...own], expected);
  }
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
  rmSync(dataDir, { recursive: true, force: true });
}

function inspect(name, args, expected) {
  const command = ['--yes', `--package=${INSPECTOR}`, 'mcp-inspector', '--cli', '--format', 'json'];
  const { status, stderr } = spawnSync('npx', [...command, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const warnings = stderr.split('\n').filter((line) => line.startsWith('Warning: tool')).length;
  const isRight = status === expected && warnings === 0;
  console.log(`${isRight ? 'ok  ' : 'FAIL'}  ${name}: exit ${status}, ${warnings} warnings`);
  if (isRight) return;
  console.error(stderr.slice(0, 2_000));
  process.exitCode = 1;
}
