import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn, newPerson, type Person } from '../support/people.ts';
import { type Answer, startTestServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
/** A second process on the same database. */
let second: TestServer;
let person: Person;

beforeAll(async () => {
  server = await startTestServer();
  second = await startTestServer({ dataDir: server.dataDir });
  person = await newPerson(server);
});
afterAll(async () => {
  await second.close();
  await server[Symbol.asyncDispose]();
});

interface Browser {
  /** `changgu_session=…` */
  readonly cookie: string;
  readonly csrf: string;
  call(
    method: string,
    path: string,
    headers?: Record<string, string>,
    body?: unknown,
  ): Promise<Answer>;
}

/** Calls without the demo client's key. */
async function bare(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
  at = server,
): Promise<Answer> {
  const answer = await fetch(new URL(path, at.url), {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

const cookieOf = (answer: Answer) => answer.headers.get('set-cookie')?.split(';')[0] ?? '';

async function openBrowser({ email, password }: Person): Promise<Browser> {
  const answer = await bare(
    'POST',
    '/v1/auth/login',
    { origin: server.url },
    { email, password, cookie: true },
  );
  expect(answer.status).toBe(200);
  const cookie = cookieOf(answer);
  return {
    cookie,
    csrf: answer.body.csrf_token,
    call: (method, path, headers = {}, body) => bare(method, path, { cookie, ...headers }, body),
  };
}

const own = (browser: Browser) => ({ origin: server.url, 'x-csrf-token': browser.csrf });
const statusOf = async (token: string, at = server) =>
  (await at.call('GET', '/v1/membership/me', { headers: { authorization: `Bearer ${token}` } }))
    .status;

describe('sessions of tokens', () => {
  it('logout voids its own token at once on every process, and no other', async () => {
    const { email, password } = person;
    const [one, other] = [
      await logIn(server, email, password),
      await logIn(server, email, password),
    ];
    expect(await statusOf(one, second)).toBe(200);
    const out = await server.call('POST', '/v1/auth/logout', {
      headers: { authorization: `Bearer ${one}` },
    });
    expect([out.status, out.body]).toEqual([200, { ended_sessions: 1, provider_logout_url: null }]);
    expect([await statusOf(one), await statusOf(one, second)]).toEqual([401, 401]);
    expect(await statusOf(other, second)).toBe(200);
  });

  it('logout everywhere voids all, tokens from before sessions too', async () => {
    const someone = await newPerson(server);
    const { token: old } = await server.core.tokens.issue(
      { kind: 'console_user', userId: String(someone.userId), passwordEpoch: 1 },
      60,
    );
    const browser = await openBrowser(someone);
    expect(await statusOf(old)).toBe(200);
    const out = await someone.call('POST', '/v1/auth/logout', { everywhere: true });
    expect(out.body).toEqual({ ended_sessions: 2, provider_logout_url: null });
    for (const token of [someone.token, old]) expect(await statusOf(token, second)).toBe(401);
    expect((await browser.call('GET', '/v1/auth/session')).status).toBe(401);
    expect(await statusOf(await logIn(server, someone.email, someone.password))).toBe(200);
  });

  it('has no principal without credentials, which is not an error, while bad credentials are', async () => {
    const ask = (headers: Record<string, string>) =>
      fetch(new URL('/v1/auth/session', server.url), { headers });
    const anonymous = await ask({});
    expect([anonymous.status, await anonymous.text()]).toEqual([204, '']);
    const cookie = `changgu_session=${'x'.repeat(43)}`;
    const sent: Record<string, string>[] = [
      { cookie },
      { authorization: 'Bearer nothing' },
      { 'x-api-key': '' },
    ];
    for (const headers of sent) expect((await ask(headers)).status).toBe(401);
  });

  it('a token is void without its session, and in the session of another user', async () => {
    const issue = async (userId: number, sessionId: string) =>
      (
        await server.core.tokens.issue(
          { kind: 'console_user', userId: String(userId), passwordEpoch: 1, sessionId },
          60,
        )
      ).token;
    const [victim, thief] = [await newPerson(server), await newPerson(server)];
    const { items } = (await thief.call('GET', '/v1/me/sessions')).body;
    expect(await statusOf(await issue(thief.userId, items[0].session_id))).toBe(200);
    expect(await statusOf(await issue(victim.userId, items[0].session_id))).toBe(401);
    expect(await statusOf(await issue(victim.userId, 'made-up'))).toBe(401);
  });

  it('lists the sessions of the user only, and says which one asks', async () => {
    const someone = await newPerson(server);
    await openBrowser(someone);
    const { body } = await someone.call('GET', '/v1/me/sessions');
    expect(body.items).toMatchObject([
      { kind: 'cookie', current: false, address: '127.0.0.1' },
      { kind: 'token', current: true },
    ]);
    expect(JSON.stringify(body)).not.toContain(someone.token);
  });

  it('ends another session of one’s own, and none of a stranger’s', async () => {
    const [someone, stranger] = [await newPerson(server), await newPerson(server)];
    const token = await logIn(server, someone.email, someone.password);
    const { items } = (await someone.call('GET', '/v1/me/sessions')).body;
    const { session_id: id } = items.find((each: { current: boolean }) => !each.current);
    const path = `/v1/me/sessions/${id}`;
    expect((await stranger.call('DELETE', path)).status).toBe(404);
    expect(await statusOf(token)).toBe(200);
    expect((await someone.call('DELETE', path)).body).toEqual({ session_id: id, status: 'ENDED' });
    expect(await statusOf(token, second)).toBe(401);
    expect((await someone.call('DELETE', path)).status).toBe(404);
  });

  it('says who is logged in, without a CSRF token for a bearer token', async () => {
    const { body } = await person.call('GET', '/v1/auth/session');
    expect(body).toMatchObject({
      user: { user_id: person.userId, email: person.email },
      organization: { organization_id: person.organizationId },
      role: 'OWNER',
      csrf_token: null,
    });
  });
});

describe('sessions of cookies', () => {
  it('a login with cookie answers no token, and sets a cookie that scripts and other sites cannot use', async () => {
    const { email, password } = person;
    const answer = await bare(
      'POST',
      '/v1/auth/login',
      { origin: server.url },
      { email, password, cookie: true },
    );
    expect(answer.body).not.toHaveProperty('access_token');
    expect(answer.body.csrf_token).toMatch(/^[\w-]{43}$/);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^changgu_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const again = await openBrowser(person);
    const session = await again.call('GET', '/v1/auth/session');
    expect(session.body).toMatchObject({ csrf_token: again.csrf, role: 'OWNER' });
  });

  it('over HTTPS the cookie is Secure and bound to this host', async () => {
    await using secure = await startTestServer({
      env: { PUBLIC_BASE_URL: 'https://changgu.example' },
    });
    const someone = await newPerson(secure);
    const login = (origin: string) =>
      bare(
        'POST',
        '/v1/auth/login',
        { origin },
        { email: someone.email, password: someone.password, cookie: true },
        secure,
      );
    expect((await login(secure.url)).body.error.code).toBe('AUTH_CSRF_REFUSED');
    const answer = await login('https://changgu.example');
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-changgu_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    const cookie = cookieOf(answer);
    const session = await bare('GET', '/v1/auth/session', { cookie }, undefined, secure);
    expect(session.status).toBe(200);
    // A neighbor's host could have planted one without the prefix.
    const planted = cookie.replace('__Host-', '');
    const tossed = await bare('GET', '/v1/auth/session', { cookie: planted }, undefined, secure);
    expect(tossed.status).toBe(401);
  });

  it.each([
    ['no token', (b: Browser) => ({ origin: own(b).origin })],
    ['an empty token', (b: Browser) => ({ ...own(b), 'x-csrf-token': '' })],
    ['a token of the same length', (b: Browser) => ({ ...own(b), 'x-csrf-token': 'x'.repeat(43) })],
    ['no Origin', (b: Browser) => ({ 'x-csrf-token': b.csrf })],
    ['a foreign Origin', (b: Browser) => ({ ...own(b), origin: 'https://evil.example' })],
    ['the Origin of a sandboxed frame', (b: Browser) => ({ ...own(b), origin: 'null' })],
    ['another port', (b: Browser) => ({ ...own(b), origin: 'http://127.0.0.1:1' })],
    [
      'a name that only begins like ours',
      (b: Browser) => ({ ...own(b), origin: `${own(b).origin}.evil.example` }),
    ],
  ])('refuses to write with %s', async (_, headersOf) => {
    const browser = await openBrowser(person);
    for (const [method, path] of [
      ['POST', '/v1/auth/logout'],
      ['DELETE', '/v1/me/sessions/x'],
      ['POST', '/v1/consents'],
    ] as const) {
      const answer = await browser.call(method, path, headersOf(browser));
      expect([answer.status, answer.body.error.code]).toEqual([403, 'AUTH_CSRF_REFUSED']);
    }
    expect((await browser.call('GET', '/v1/auth/session')).status).toBe(200);
  });

  it('refuses the CSRF token of another session', async () => {
    const [one, other] = [await openBrowser(person), await openBrowser(person)];
    const answer = await one.call('POST', '/v1/auth/logout', own(other));
    expect(answer.body.error.code).toBe('AUTH_CSRF_REFUSED');
  });

  it('writes with both, and logs out', async () => {
    const browser = await openBrowser(person);
    const out = await browser.call('POST', '/v1/auth/logout', own(browser));
    expect(out.status).toBe(200);
    expect(out.headers.get('set-cookie')).toMatch(/^changgu_session=;.*Max-Age=0$/);
    for (const at of [server, second]) {
      const late = await bare('GET', '/v1/auth/session', { cookie: browser.cookie }, undefined, at);
      expect(late.status).toBe(401);
    }
  });

  it('a login takes no session that the browser brought along', async () => {
    const planted = 'A'.repeat(43);
    const { email, password } = person;
    const answer = await bare(
      'POST',
      '/v1/auth/login',
      { origin: server.url, cookie: `changgu_session=${planted}` },
      { email, password, cookie: true },
    );
    expect(cookieOf(answer)).not.toContain(planted);
    const session = await bare('GET', '/v1/auth/session', { cookie: `changgu_session=${planted}` });
    expect(session.status).toBe(401);
  });

  it('another site cannot log a browser in', async () => {
    const { email, password } = person;
    const body = { email, password, cookie: true };
    for (const headers of [{ origin: 'https://evil.example' }, {}]) {
      const answer = await bare('POST', '/v1/auth/login', headers as Record<string, string>, body);
      expect(answer.body.error.code).toBe('AUTH_CSRF_REFUSED');
      expect(answer.headers.has('set-cookie')).toBe(false);
    }
  });

  it.each(['', 'x', `${'A'.repeat(42)}=`, '../../etc', `${'A'.repeat(4_000)}`])(
    'refuses the cookie %j',
    async (value) => {
      const cookie = `changgu_session=${value}`;
      expect((await bare('GET', '/v1/auth/session', { cookie })).status).toBe(401);
    },
  );

  it('refuses two cookies of one name, one of which was planted', async () => {
    const [one, other] = [await openBrowser(person), await openBrowser(person)];
    const answer = await bare('GET', '/v1/auth/session', {
      cookie: `${one.cookie}; ${other.cookie}`,
    });
    expect(answer.status).toBe(401);
  });

  it('a cookie is not a credential for programs: it opens only what the console user may use', async () => {
    const browser = await openBrowser(person);
    const answer = await browser.call('POST', '/v1/jobs', own(browser), {});
    expect([answer.status, answer.body.error.code]).toEqual([403, 'AUTH_FORBIDDEN_PRINCIPAL']);
  });

  it('a changed password ends every session and gives the browser a new one', async () => {
    const someone = await newPerson(server);
    const [browser, other] = [await openBrowser(someone), await openBrowser(someone)];
    const changed = await browser.call('POST', '/v1/me/password', own(browser), {
      current_password: someone.password,
      new_password: 'quite another passphrase',
    });
    expect(changed.status).toBe(200);
    expect(changed.body).not.toHaveProperty('access_token');
    const renewed = cookieOf(changed);
    expect(renewed).not.toBe(browser.cookie);
    for (const cookie of [browser.cookie, other.cookie]) {
      expect((await bare('GET', '/v1/auth/session', { cookie })).status).toBe(401);
    }
    const session = await bare('GET', '/v1/auth/session', { cookie: renewed });
    expect(session.body.csrf_token).toBe(changed.body.csrf_token);
    expect(await statusOf(someone.token)).toBe(401);
  });

  it('the database holds no secret of a session', async () => {
    const browser = await openBrowser(person);
    const secret = browser.cookie.split('=')[1] ?? '';
    const [row] = await server.core.store.consoleSessions.list(person.userId);
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(JSON.stringify(row)).not.toContain(browser.csrf);
  });
});
