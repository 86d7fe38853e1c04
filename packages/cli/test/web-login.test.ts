import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Fetch } from '@changgu/sdk';
import { FakeService } from '@changgu/sdk/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliProgram } from '../../../scripts/programs.ts';
import { openBrowser, type Shown } from '../../server/test/support/browser.ts';
import { chosenOn, signIn } from '../../server/test/support/oauth.ts';
import { newPerson, type Person } from '../../server/test/support/people.ts';
import { type RunOptions, type TestHome, testHome } from './support/run.ts';
import { type Service, startService } from './support/service.ts';

const SECRETS = '.config/changgu/credentials/default.json';

let service: Service;
let person: Person;
beforeAll(async () => {
  service = await startService({ env: { OAUTH: 'on' } });
  person = await newPerson(service.server);
}, 60_000);
afterAll(() => service[Symbol.asyncDispose]());

type Choose = (page: Shown) => readonly (readonly [string, string])[];
const approve: Choose = (page) => [...chosenOn(page), ['decision', 'approve']];

/** A person at a browser who signs in and decides. */
async function decide(address: string, choose: Choose = approve): Promise<Shown> {
  const browser = openBrowser('nowhere:');
  const begun = { browser, page: await browser.open(address), verifier: '', state: '' };
  const page = await signIn(begun, person);
  return browser.submit(page, choose(page));
}

async function webLogin(home: TestHome, options: RunOptions & { readonly choose?: Choose } = {}) {
  let last: Promise<Shown> | undefined;
  const { choose, ...rest } = options;
  const ran = await home.run(['login', '--web', '--base-url', service.server.url, '--lang', 'en'], {
    env: { DISPLAY: ':0' },
    openBrowser: async (address) => {
      last = decide(address, choose);
    },
    ...rest,
  });
  return { ...ran, page: await last };
}

const storedIn = async ({ dir }: TestHome) =>
  JSON.parse(await readFile(join(dir, SECRETS), 'utf8'));
const change = async (home: TestHome, secrets: object) =>
  writeFile(join(home.dir, SECRETS), JSON.stringify({ ...(await storedIn(home)), ...secrets }));
const EXPIRED = { oauth_access_token_expires_at: '2026-01-01T00:00:00.000Z' };
const grants = async () => (await person.call('GET', '/v1/oauth/grants')).body.items;

describe('login --web', () => {
  it('goes by the browser, and the token works as a key does (RFC 8252)', async () => {
    await using home = await testHome();
    const { code, stderr, page } = await webLogin(home);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Logged in.') });
    expect(stderr).toContain('/oauth/auth?');
    expect(page?.text).toContain('Go back to the terminal.');
    const [grant] = await grants();
    expect(grant).toMatchObject({ client_name: 'Changgu CLI', scopes: expect.any(Array) });
    expect(grant.scopes).not.toContain('jobs:irreversible');
    expect(grant.redirect_host).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(stderr).not.toContain((await storedIn(home)).oauth_access_token);
    expect((await home.run(['jobs', 'list'])).code).toBe(0);
    expect((await home.run(['links', 'list'])).code).toBe(0);
    const who = await home.run(['whoami', '--lang', 'en']);
    expect(who.stdout).toContain('principal_kind\tclient');
    const submitted = await home.run(['jobs', 'submit', 'bank_a.accounts.list', '--wait']);
    expect(submitted.code).toBe(0);
    const bridge = await home.run(['mcp', 'start', '--lang', 'en']);
    expect(bridge).toMatchObject({ code: 4, stderr: expect.stringContaining('client key') });
  });

  it('says that the person refused, and keeps nothing', async () => {
    await using home = await testHome();
    const { code, stderr } = await webLogin(home, { choose: () => [['decision', 'deny']] });
    expect(code).toBe(4);
    expect(stderr).toContain('The request was denied. Nothing was saved.');
    await expect(storedIn(home)).rejects.toThrow('ENOENT');
  });

  it('waits on when another page calls its door without the state', async () => {
    await using home = await testHome();
    const statuses: number[] = [];
    const { code } = await webLogin(home, {
      openBrowser: async (address) => {
        const door = new URL(address).searchParams.get('redirect_uri') ?? '';
        for (const query of ['', '?code=stolen', '?code=stolen&state=guessed']) {
          statuses.push((await fetch(`${door}${query}`)).status);
        }
        // A path that is no address.
        statuses.push((await fetch(`${new URL(door).origin}//`)).status);
        void decide(address);
      },
    });
    expect({ code, statuses }).toEqual({ code: 0, statuses: [404, 404, 404, 404] });
  });

  it('refuses an answer of another issuer (RFC 9207)', async () => {
    await using home = await testHome();
    const { code, stderr } = await webLogin(home, {
      openBrowser: async (address) => {
        const { searchParams } = new URL(address);
        const forged = new URL(searchParams.get('redirect_uri') ?? '');
        forged.searchParams.set('state', searchParams.get('state') ?? '');
        forged.searchParams.set('code', 'of-another-server');
        forged.searchParams.set('iss', 'https://attacker.example');
        await fetch(forged);
      },
    });
    expect(code).toBe(1);
    expect(stderr).toContain('The service issued no token');
  });

  it('shows a code where there is no browser (RFC 8628)', async () => {
    for (const how of [['--web'], ['--device']]) {
      await using home = await testHome();
      let approved: Promise<unknown> | undefined;
      const { code, stderr } = await home.run(
        ['login', ...how, '--base-url', service.server.url, '--lang', 'en'],
        {
          fetch: withoutPauses,
          env: how[0] === '--device' ? { DISPLAY: ':0' } : {},
          onStderr(written) {
            const [, address = '', userCode = ''] =
              /open (\S+) and enter this code:\n {2}(\S+)/.exec(written) ?? [];
            if (address !== '') approved = enterCode(address, userCode);
          },
        },
      );
      await approved;
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Logged in.') });
      expect((await home.run(['jobs', 'list'])).code).toBe(0);
    }
  });

  it('shows what a service names as text, which commands no terminal', async () => {
    await using home = await testHome();
    const url = 'https://hostile.example';
    const device = {
      device_code: 'd',
      user_code: 'AA\u001b[2J\u009b1;1HBB',
      verification_uri: `${url}/\u202eacti\u0007vate`,
      expires_in: 60,
      interval: 1,
    };
    const answers: Readonly<Record<string, object>> = {
      '/.well-known/oauth-protected-resource/v1': {
        resource: `${url}/v1`,
        authorization_servers: [url],
      },
      '/.well-known/oauth-authorization-server': {
        issuer: url,
        device_authorization_endpoint: `${url}/device`,
        token_endpoint: `${url}/token`,
      },
      '/device': device,
    };
    const { stderr } = await home.run(['login', '--device', '--base-url', url, '--lang', 'en'], {
      fetch: async (address) => {
        const answer = answers[new URL(String(address)).pathname];
        return answer
          ? Response.json(answer)
          : Response.json({ error: 'access_denied' }, { status: 400 });
      },
    });
    expect(stderr).toContain(`open ${url}/activate and enter this code:\n  AABB\n`);
  });

  it('says where a service has no OAuth, and what its address is', async () => {
    await using without = await startService();
    await using home = await testHome();
    const refused = await home.run([
      'login',
      '--web',
      '--base-url',
      without.server.url,
      '--lang',
      'en',
    ]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('CHANGGU_OAUTH=on') });
    const { port } = new URL(service.server.url);
    const other = await home.run([
      'login',
      '--web',
      '--base-url',
      `http://localhost:${port}`,
      '--lang',
      'en',
    ]);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain(`its address is ${service.server.url}`);
    const plain = await home.run(['login', '--web', '--base-url', 'http://changgu.example']);
    expect(plain.code).toBe(2);
    const silent = await home.run(['login', '--web', '--base-url', 'http://127.0.0.1:9']);
    expect(silent).toMatchObject({ code: 1, stderr: expect.stringContaining('changgu doctor') });
  });

  it('replaces what the profile had, and a key replaces it and ends it', async () => {
    await using home = await testHome();
    const { client } = service.server;
    const byKey = ['login', '--base-url', service.server.url, '--client-id', client.client_id];
    const key = () => home.run([...byKey, '--secret-stdin'], { stdin: client.client_secret });
    await key();
    await webLogin(home);
    expect(await storedIn(home)).not.toHaveProperty('client_secret');
    const [grant] = await grants();
    expect(grant.status).toBe('ACTIVE');
    expect((await key()).code).toBe(0);
    expect(await storedIn(home)).not.toHaveProperty('oauth_refresh_token');
    expect((await grants())[0]).toMatchObject({ grant_id: grant.grant_id, status: 'REVOKED' });
  });

  it('ends at once where its tokens cannot be stored', async () => {
    await using home = await testHome();
    const { code, stderr } = await webLogin(home, {
      env: { DISPLAY: ':0', CHANGGU_CREDENTIAL_STORE: 'keyring' },
      loadKeychain: () => Promise.reject(new Error('no session bus')),
    });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('session bus') });
    expect((await grants())[0].status).toBe('REVOKED');
  });

  it('ends also where the login in its place is at another service', async () => {
    await using home = await testHome();
    await webLogin(home);
    const other = new FakeService().route(({ path }) =>
      path.endsWith('/membership/me') ? { status: 200, body: {} } : null,
    );
    const argv = ['login', '--base-url', other.baseUrl, '--client-id', 'x', '--secret-stdin'];
    const either: Fetch = (url, init) =>
      url.startsWith(other.baseUrl) ? other.fetch(url, init) : fetch(url, init);
    const ran = await home.run(argv, { stdin: 'secret', fetch: either });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('default') });
    expect((await grants())[0].status).toBe('REVOKED');
  });
});

describe('the tokens of a login in the browser', () => {
  it('end with it, at the service too (RFC 7009)', async () => {
    for (const ending of [['logout'], ['profiles', 'remove', 'default', '--yes']]) {
      await using home = await testHome();
      await webLogin(home);
      const { oauth_access_token: token } = await storedIn(home);
      const held: boolean[] = [];
      const watching: Fetch = async (url, init) => {
        held.push(existsSync(join(home.dir, SECRETS.replace('.json', '.lock'))));
        return fetch(url, init);
      };
      expect((await home.run(ending, { fetch: watching })).code).toBe(0);
      // A slow service keeps no other process waiting.
      expect(new Set(held)).toEqual(new Set([false]));
      await expect(storedIn(home)).rejects.toThrow('ENOENT');
      const headers = { authorization: `Bearer ${token}` };
      expect((await fetch(`${service.server.url}/v1/jobs`, { headers })).status).toBe(401);
    }
  });

  it('are forgotten where the service cannot be told, and that is said', async () => {
    await using home = await testHome();
    await webLogin(home);
    await change(home, { base_url: 'http://127.0.0.1:9' });
    const { code, stderr } = await home.run(['logout', '--lang', 'en']);
    expect(code).toBe(0);
    expect(stderr).toContain('Could not revoke the login');
    await expect(storedIn(home)).rejects.toThrow('ENOENT');
  });

  it('are renewed by one process at a time: the others take what it stored', async () => {
    await using home = await testHome();
    await webLogin(home);
    for (let round = 0; round < 2; round++) {
      const before = await storedIn(home);
      await change(home, EXPIRED);
      const runs = [1, 2, 3].map(() => runApart(home, ['jobs', 'list']));
      expect(await Promise.all(runs)).toEqual([0, 0, 0]);
      const after = await storedIn(home);
      expect(after.oauth_refresh_token).not.toBe(before.oauth_refresh_token);
    }
    const [grant] = await grants();
    expect(grant.status).toBe('ACTIVE');
    const audit = await person.call('GET', '/v1/audit?act=oauth_grant.refresh');
    const own = audit.body.items.filter(
      ({ target }: { target: string }) => target === grant.grant_id,
    );
    expect(own).toHaveLength(2);
  });

  it.each([
    ['logout', []],
    ['login', ['--client-id']],
  ])('that a process renews during a %s do not come back after it', async (ending, options) => {
    await using home = await testHome({ CHANGGU_BASE_URL: service.server.url });
    await webLogin(home);
    await change(home, EXPIRED);
    const { client_id: id, client_secret: stdin } = service.server.client;
    const argv = [ending, ...options.flatMap((name) => [name, id, '--secret-stdin'])];
    let ran: Promise<{ readonly code: number }> | undefined;
    const renewing: Fetch = async (url, init) => {
      const answer = await fetch(url, init);
      if (url.endsWith('/oauth/token')) {
        // Until it is done, or asks whether the process lives that it has to wait for.
        await new Promise<void>((resolve) => {
          const isAlive = () => {
            resolve();
            return true;
          };
          ran = home.run(argv, { stdin, isAlive });
          void ran.then(() => resolve());
        });
      }
      return answer;
    };
    await home.run(['jobs', 'list'], { fetch: renewing });
    expect(await ran).toMatchObject({ code: 0 });
    const left = await storedIn(home).catch(() => ({}));
    expect(left).not.toHaveProperty('oauth_refresh_token');
  });

  it('end the run that finds them ended, with what to do next', async () => {
    await using home = await testHome();
    await webLogin(home);
    const [{ grant_id }] = await grants();
    await person.call('POST', `/v1/oauth/grants/${grant_id}/revoke`);
    await change(home, EXPIRED);
    const { code, stderr } = await home.run(['jobs', 'list', '--lang', 'en']);
    expect(code).toBe(4);
    expect(stderr).toContain('changgu login --web');
  });
});

/** A client that polls asks at once instead of after five seconds. */
const withoutPauses: Fetch = async (url, init) => {
  const answer = await fetch(url, init);
  if (!url.endsWith('/oauth/device/auth')) return answer;
  return Response.json({ ...Object(await answer.json()), interval: 0.01 });
};

async function enterCode(address: string, userCode: string): Promise<void> {
  const browser = openBrowser('nowhere:');
  const code = ['user_code', userCode] as const;
  const input = await browser.open(address);
  const confirm = await browser.submit(input, [['xsrf', hidden(input, 'xsrf')], code]);
  const xsrf = ['xsrf', hidden(confirm, 'xsrf')] as const;
  const page = await browser.submit(confirm, [xsrf, ['confirm', 'yes'], code]);
  const approval = await signIn({ browser, page, verifier: '', state: '' }, person);
  await browser.submit(approval, approve(approval));
}

function hidden({ text: html }: Shown, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';
}

async function runApart({ dir }: TestHome, argv: readonly string[]): Promise<number | string> {
  const child = spawn(process.execPath, [...cliProgram(), ...argv], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, HOME: dir },
  });
  const told = text(child.stderr);
  const [code]: number[] = await once(child, 'exit');
  return code === 0 ? 0 : told;
}
