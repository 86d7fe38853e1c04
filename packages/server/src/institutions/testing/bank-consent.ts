import { demoConsentClient, demoMembers } from '@changgu/simulators';
import { load } from 'cheerio/slim';
import type { JsonObject } from '../connector.ts';

const RETURN = `http://127.0.0.1${demoConsentClient.returnPath}`;

/** What the person does at bank_d, and what the service does with the code. */
export async function consentAt(bank: string, scopes: readonly string[]): Promise<JsonObject> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: demoConsentClient.clientId,
    redirect_uri: RETURN,
    state: 's',
    scope: scopes.join(' '),
  });
  const url = `${bank}/oauth/authorize`;
  const screen = await fetch(`${url}?${query}`);
  const $ = load(await screen.text());
  const { loginId, loginPassword } = demoMembers.corporation;
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: screen.headers.get('set-cookie')?.split(';')[0] ?? '' },
    body: new URLSearchParams([
      ['_csrf', String($('input[name="_csrf"]').val())],
      ['request', String($('input[name="request"]').val())],
      ['id', loginId],
      ['password', loginPassword],
      ['decision', 'approve'],
      ...scopes.map((scope) => ['scope', scope]),
    ]),
  });
  const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
  return grantAt(bank, { grant_type: 'authorization_code', code, redirect_uri: RETURN });
}

export async function grantAt(bank: string, fields: Record<string, string>): Promise<JsonObject> {
  const { clientId, clientSecret } = demoConsentClient;
  const answer = await fetch(`${bank}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...fields, client_id: clientId, client_secret: clientSecret }),
  });
  if (!answer.ok) throw new Error(`the bank granted nothing: ${answer.status}`);
  return (await answer.json()) as JsonObject;
}
