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
