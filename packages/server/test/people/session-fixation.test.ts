import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAuthenticator } from '../support/authenticator.ts';
import { newStranger, type Stranger, signIn } from '../support/oauth.ts';
import {
  agree,
  allowDomain,
  inviteTo,
  logInAs,
  newBrowser,
  type ProviderStage,
  startWithProvider,
} from '../support/outside-login/provider-login.ts';
import { newPerson, type Person } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

const ORIGIN = 'https://changgu.example';
const SECURE_NAME = '__Host-changgu_session';
const PLAIN_NAME = 'changgu_session';
const LINK_TOKEN = 'a link that signs in once';
/** Of whom the identity provider signs in. */
const SUBJECT = 'u-victim';
const EMAIL = 'victim@acme.example';

interface Place {
  readonly server: TestServer;
  readonly name: string;
  readonly origin: string;
}

/** Signs a person in, in a browser that carries `planted`; answers the secret of the cookie that it was given. */
type SignIn = (planted: string) => Promise<string>;

let secure: Place;
let stage: ProviderStage;
let plain: Place;

beforeAll(async () => {
  const server = await startTestServer({
    env: { PUBLIC_BASE_URL: ORIGIN },
    signInToken: LINK_TOKEN,
  });
  secure = { server, name: SECURE_NAME, origin: ORIGIN };
  stage = await startWithProvider('sqlite', { env: { OAUTH: 'on' } });
  plain = { server: stage.server, name: PLAIN_NAME, origin: stage.server.url };
  const owner = await newPerson(stage.server);
  await allowDomain(stage.server, owner.organizationId, 'acme.example');
  await inviteTo(owner, EMAIL);
  stage.provider.people.set(SUBJECT, { email: EMAIL });
  const browser = newBrowser(stage);
  await agree(browser, await logInAs(stage, browser, SUBJECT));
});
afterAll(async () => {
  await stage.close();
  await secure.server[Symbol.asyncDispose]();
});

const cookieOf = ({ name }: Place, secret: string) => `${name}=${secret}`;
const secretIn = (headers: Headers) =>
  /_session=([\w-]+);/.exec(headers.get('set-cookie') ?? '')?.[1];

async function whoHas(place: Place, secret: string): Promise<string> {
  const answer = await fetch(new URL('/v1/auth/session', place.server.url), {
    headers: { cookie: cookieOf(place, secret) },
  });
  const body = await answer.json();
  return answer.status === 200 ? body.user.email : body.error.code;
}

/** A post of the console's page in a browser that carries `planted`. */
async function post(place: Place, planted: string, path: string, body: object): Promise<string> {
  const answer = await fetch(new URL(path, place.server.url), {
    method: 'POST',
    headers: {
      origin: place.origin,
      cookie: cookieOf(place, planted),
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  expect(answer.status, await answer.clone().text()).toBe(200);
  return secretIn(answer.headers) ?? '';
}

const byPassword =
  (place: Place, { email, password }: Pick<Person, 'email' | 'password'>): SignIn =>
  (planted) =>
    post(place, planted, '/v1/auth/login', { email, password, cookie: true });

async function byPasskey(person: Person): Promise<SignIn> {
  const { server } = secure;
  const authenticator = newAuthenticator(ORIGIN);
  const { body } = await person.call('POST', '/v1/me/factors/passkeys/options', {
    password: person.password,
  });
  const added = await person.call('POST', '/v1/me/factors/passkeys', {
    attempt: body.attempt,
    credential: authenticator.create(body.public_key),
    label: 'laptop',
  });
  expect(added.status).toBe(201);
  return async (planted) => {
    const begun = (await server.call('POST', '/v1/auth/passkey/options')).body;
    return post(secure, planted, '/v1/auth/passkey', {
      attempt: begun.attempt,
      credential: authenticator.get(begun.public_key),
      cookie: true,
    });
  };
}

const byProvider: SignIn = async (planted) => {
  const browser = newBrowser(stage);
  browser.cookies.set(PLAIN_NAME, { value: planted, path: '/' });
  const end = await logInAs(stage, browser, SUBJECT);
  expect(end.url).toBe(`${stage.server.url}/console`);
  return browser.cookies.get(PLAIN_NAME)?.value ?? '';
};

/** On the page on which a person lets a program in. */
const byApprovalPage =
  (stranger: Stranger, person: Person): SignIn =>
  async (planted) => {
    const begun = await stranger.begin();
    begun.browser.cookies.set(PLAIN_NAME, { value: planted, path: '/' });
    await signIn(begun, person);
    return begun.browser.cookies.get(PLAIN_NAME)?.value ?? '';
  };

/** Once with the live session of an attacker in the browser, once with a secret that the attacker made up. */
async function expectNewSecrets(place: Place, enter: SignIn, email: string): Promise<void> {
  const attacker = await newPerson(place.server);
  const live = await byPassword(place, attacker)('');
  const first = await enter(live);
  const madeUp = 'A'.repeat(43);
  const second = await enter(madeUp);
  expect(new Set([live, madeUp, first, second]).size).toBe(4);
  expect(await Promise.all([first, second].map((one) => whoHas(place, one)))).toEqual([
    email,
    email,
  ]);
  expect(await whoHas(place, live)).toBe(attacker.email);
  expect(await whoHas(place, madeUp)).toBe('AUTH_INVALID_CREDENTIALS');
}

describe('a session cookie that an attacker planted is never the session of who signs in', () => {
  it('by password', async () => {
    const person = await newPerson(secure.server);
    await expectNewSecrets(secure, byPassword(secure, person), person.email);
  });

  it('by passkey', async () => {
    const person = await newPerson(secure.server);
    await expectNewSecrets(secure, await byPasskey(person), person.email);
  });

  it('at an identity provider', () => expectNewSecrets(plain, byProvider, EMAIL));

  it('on the approval page', async () => {
    const person = await newPerson(plain.server);
    const stranger = await newStranger(plain.server);
    await expectNewSecrets(plain, byApprovalPage(stranger, person), person.email);
  });

  it('by the link that signs the demo owner in, which works once', async () => {
    const { server } = secure;
    const attacker = await newPerson(server);
    const live = await byPassword(secure, attacker)('');
    const path = '/console/sign-in-once';
    const secret = await post(secure, live, path, { token: LINK_TOKEN });
    expect(secret).not.toBe(live);
    expect(await whoHas(secure, secret)).toBe(server.console.email);
    expect(await whoHas(secure, live)).toBe(attacker.email);
    const again = await server.call('POST', path, {
      body: { token: LINK_TOKEN },
      headers: { origin: ORIGIN },
    });
    expect([again.status, secretIn(again.headers)]).toEqual([401, undefined]);
  });
});
