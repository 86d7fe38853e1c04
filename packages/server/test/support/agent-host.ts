import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import { openBrowser } from './browser.ts';
import { CALLBACK, chosenOn } from './oauth.ts';
import type { Person } from './people.ts';

type Kept = Pick<OAuthClientProvider, 'clientInformation' | 'tokens' | 'codeVerifier'>;
type Saved = {
  client?: Awaited<ReturnType<Kept['clientInformation']>>;
  tokens?: Awaited<ReturnType<Kept['tokens']>>;
  verifier: string;
  answer: URLSearchParams;
};

/** A host that knows an address, and a person in front of it. */
export function agentHost({ email, password }: Pick<Person, 'email' | 'password'>) {
  const browser = openBrowser(CALLBACK);
  const kept: Saved = { verifier: '', answer: new URLSearchParams() };
  const provider: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    clientMetadata: {
      client_name: 'Host',
      redirect_uris: [CALLBACK],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    },
    clientInformation: () => kept.client,
    saveClientInformation(client) {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens(tokens) {
      kept.tokens = tokens;
    },
    saveCodeVerifier(verifier) {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier,
    async redirectToAuthorization(address) {
      const signIn = await browser.open(address.href);
      const page = await browser.submit(signIn, [
        ['email', email],
        ['password', password],
        ['decision', 'sign_in'],
      ]);
      const end = await browser.submit(page, [...chosenOn(page), ['decision', 'approve']]);
      kept.answer = new URL(end.url).searchParams;
    },
  };
  return { provider, kept };
}
