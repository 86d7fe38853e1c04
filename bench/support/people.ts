import type { MeasuredServer } from './server-process.ts';

type Address = Pick<MeasuredServer, 'url'>;

/** @throws Error for an answer that is not 2xx */
export async function call(
  server: Address,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
) {
  const answer = await fetch(new URL(path, server.url), {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** A new person's console token. */
export async function register(server: Address, n: number): Promise<string> {
  const person = { email: `person${n}@example.com`, password: `a good password ${n}` };
  const consents = { agree_terms: true, agree_privacy: true };
  await call(server, 'POST', '/v1/auth/register', {}, { ...person, ...consents, name: '홍길동' });
  const { access_token: token } = await call(server, 'POST', '/v1/auth/login', {}, person);
  return `Bearer ${token}`;
}

/** Authorization with a new key of a person's organization. */
export async function issueKey(server: Address, token: string): Promise<string> {
  const headers = { authorization: token };
  const key = await call(server, 'POST', '/v1/app-credentials', headers, { label: 'bench' });
  return `Basic ${btoa(`${key.client_id}:${key.client_secret}`)}`;
}
