import { expect, it } from 'vitest';
import { makeResetLink } from '../../src/principals/recover.ts';
import { newPerson, tokenIn } from '../support/people.ts';
import { type Answer, startTestServer } from '../support/start-server.ts';

const EASY = 'abcdefghij';
const REFUSED = 'PASSWORD_POLICY';
const NEW = { name: '홍길동', agree_terms: true, agree_privacy: true };
const told = ({ status, body }: Answer) => body.error?.code ?? status;

it.each([
  ['by default', {}, { registered: 201, invited: 200, changed: 200, reset: 200 }],
  [
    'with CHANGGU_PASSWORD_STRENGTH=on',
    { PASSWORD_STRENGTH: 'on' },
    { registered: REFUSED, invited: REFUSED, changed: REFUSED, reset: REFUSED },
  ],
] as const)(
  'every door decides alike about a weak password %s (D88)',
  async (_case, env, answers) => {
    await using server = await startTestServer({ env });
    const { store } = server.core;
    const person = await newPerson(server);
    const invited = await person.call('POST', '/v1/members/invitations', {
      email: 'invited@example.com',
      role: 'MEMBER',
    });
    const changed = await person.call('POST', '/v1/me/password', {
      current_password: person.password,
      new_password: EASY,
    });
    const { link } = await makeResetLink(store, person.email, {
      publicBaseUrl: server.url,
      operator: { kind: 'system', id: 'test', traceId: null },
    });
    const registered = await server.call('POST', '/v1/auth/register', {
      body: { ...NEW, email: 'new@example.com', password: EASY },
    });
    const accepted = await server.call('POST', '/v1/auth/invitations/accept', {
      body: { ...NEW, token: tokenIn(invited.body.link), password: EASY },
    });
    const reset = await server.call('POST', '/v1/auth/password-reset/confirm', {
      body: { token: tokenIn(link), new_password: EASY },
    });
    expect({
      registered: told(registered),
      invited: told(accepted),
      changed: told(changed),
      reset: told(reset),
    }).toEqual(answers);
  },
);
