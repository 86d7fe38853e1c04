import type { DevServer } from './dev-server.ts';

const PASSWORD = 'correct horse battery staple';

function post(server: DevServer, path: string, body: unknown): Promise<Response> {
  return fetch(new URL(path, server.base_url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** A person with an organization of their own. Answers the password. */
export async function register(server: DevServer, email: string, name = '홍길동'): Promise<string> {
  const agreed = { agree_terms: true, agree_privacy: true };
  const body = { email, password: PASSWORD, name, ...agreed };
  const answer = await post(server, '/v1/auth/register', body);
  if (answer.status !== 201) throw new Error(await answer.text());
  return PASSWORD;
}

/** A member of the demo organization. Answers the password. */
export async function join(server: DevServer, email: string, role: string): Promise<string> {
  const { console: owner } = server;
  return invite(server, await logIn(server, owner.email, owner.password), email, role);
}

/** A member of the organization whose owner has the token, by an invitation. Answers the password. */
export async function invite(
  server: DevServer,
  token: string,
  email: string,
  role: string,
): Promise<string> {
  const link = await inviteOnly(server, token, email, role);
  const accepted = await post(server, '/v1/auth/invitations/accept', {
    token: new URL(link).hash.replace('#token=', ''),
    name: '김구성',
    password: PASSWORD,
    agree_terms: true,
    agree_privacy: true,
  });
  if (accepted.status !== 200) throw new Error(await accepted.text());
  return PASSWORD;
}

/** Answers the link of the invitation. */
export async function inviteOnly(
  server: DevServer,
  token: string,
  email: string,
  role = 'MEMBER',
): Promise<string> {
  const invited = await server.call(
    'POST',
    '/v1/members/invitations',
    { email, role },
    { authorization: `Bearer ${token}` },
  );
  const { link }: { link: string } = await invited.json();
  return link;
}

export async function logIn(server: DevServer, email: string, password: string): Promise<string> {
  const answer = await post(server, '/v1/auth/login', { email, password });
  const { access_token: token }: { access_token: string } = await answer.json();
  return token;
}

/** Asks for real_test, which an operator decides. */
export async function askForEnvironment(
  server: DevServer,
  email: string,
  password: string,
): Promise<void> {
  const headers = { authorization: `Bearer ${await logIn(server, email, password)}` };
  const body = { requested_target_env: 'real_test' };
  const answer = await server.call('POST', '/v1/me/env-access-requests', body, headers);
  if (answer.status !== 201) throw new Error(await answer.text());
}
