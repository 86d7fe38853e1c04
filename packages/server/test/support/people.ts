import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { createPostOffice } from '../../src/mail/post-office.ts';
import type { RecoveryDependencies } from '../../src/principals/recover.ts';
import type { Answer, TestServer } from './start-server.ts';

let people = 0;

/** A console user with a token. */
export interface Person {
  readonly email: string;
  readonly password: string;
  readonly userId: number;
  readonly organizationId: number;
  readonly token: string;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Registers a new person with their own organization, and logs in. */
export async function newPerson(server: TestServer): Promise<Person> {
  people += 1;
  const email = `person${people}@example.com`;
  const password = `a good password ${people}`;
  const registered = await server.call('POST', '/v1/auth/register', {
    body: { email, password, name: '홍길동', agree_terms: true, agree_privacy: true },
  });
  if (registered.status !== 201) throw new Error(JSON.stringify(registered.body));
  const { user_id: userId, organization_id: organizationId } = registered.body;
  const token = await logIn(server, email, password);
  return { email, password, userId, organizationId, token, call: callerWith(server, token) };
}

export async function logIn(server: TestServer, email: string, password: string): Promise<string> {
  const { status, body } = await server.call('POST', '/v1/auth/login', {
    body: { email, password },
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.access_token;
}

/** Calls with a bearer token instead of the demo client's key. */
export function callerWith(server: TestServer, token: string): Person['call'] {
  return (method, path, body) =>
    server.call(method, path, {
      headers: bearer(token),
      ...(body === undefined ? {} : { body }),
    });
}

/** A new member of the organization of `owner`, by invitation. */
export async function newMember(
  server: TestServer,
  owner: Person,
  role: 'OWNER' | 'ADMIN' | 'MEMBER',
): Promise<Person> {
  people += 1;
  const email = `member${people}@example.com`;
  const password = `a good password ${people}`;
  const invited = await owner.call('POST', '/v1/members/invitations', { email, role });
  if (invited.status !== 201) throw new Error(JSON.stringify(invited.body));
  const token = tokenIn(invited.body.link);
  const accepted = await server.call('POST', '/v1/auth/invitations/accept', {
    body: { token, name: '김초대', password, agree_terms: true, agree_privacy: true },
  });
  if (accepted.status !== 200) throw new Error(JSON.stringify(accepted.body));
  const { user_id: userId } = accepted.body;
  const access = await logIn(server, email, password);
  const { organizationId } = owner;
  return {
    email,
    password,
    userId,
    organizationId,
    token: access,
    call: callerWith(server, access),
  };
}

export const tokenIn = (link: string) => new URL(link).hash.replace('#token=', '');

/** As a link that was sent to the address does. */
export async function proveAddress({ core }: TestServer, email: string): Promise<void> {
  const { store } = core;
  const tokenHash = randomUUID();
  const letter = { id: randomUUID(), letter: Buffer.from('letter') };
  await store.oneTimeLinks.request({
    kind: 'verify_email',
    tokenHash,
    email,
    emailHash: tokenHash,
    letter,
  });
  await store.oneTimeLinks.verifyEmail({ tokenHash, origin: { traceId: 'test' } });
  await store.mailOutbox.remove(letter.id);
}

/** For routes that are tested without a post office. */
export function silentRecovery({ store, vault }: TestServer['core']): RecoveryDependencies {
  const postOffice = createPostOffice({
    store,
    vault,
    logger: pino({ level: 'silent' }),
    publicBaseUrl: () => 'http://127.0.0.1',
    openSmtp: null,
    tellsLinks: false,
  });
  return { store, postOffice, tellsLinks: false };
}
