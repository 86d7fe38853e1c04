import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { type JWK, Provider } from 'oidc-provider';

/** Someone whom the provider knows. */
export interface Known {
  readonly email: string;
  readonly name?: string;
  readonly emailVerified?: boolean;
  /** How the provider says that it authenticated the person. */
  readonly amr?: readonly string[];
}

export interface TestProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** By subject. Whom it does not know any more has been switched off. */
  readonly people: Map<string, Known>;
  /** What the provider says, signed as it signs. */
  sign(claims: JWTPayload): Promise<string>;
  /** Who sits in front of its page for logging in. */
  present: string;
  close(): Promise<void>;
}

const CLIENT = { clientId: 'changgu', clientSecret: 'a secret of the client, of some length' };

/** A certified identity provider, whose own page for logging in answers by itself. */
export async function startIdentityProvider(changguUrl: () => string): Promise<TestProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = addressOf(server);
  const people: TestProvider['people'] = new Map();
  const keys = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(keys.privateKey)), kid: 'key', alg: 'ES256', use: 'sig' };
  let opened: Provider | undefined;
  // The address of the other side is known later.
  const open = () => {
    opened ??= newProvider(issuer, { changguUrl: changguUrl(), people, jwk });
    return opened;
  };
  const running: TestProvider = {
    issuer,
    ...CLIENT,
    people,
    present: '',
    sign: (claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: 'key', typ: 'logout+jwt' })
        .sign(keys.privateKey),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void open().callback()(request, response);
    const login = {
      accountId: running.present,
      amr: [...(people.get(running.present)?.amr ?? [])],
    };
    open()
      .interactionFinished(request, response, { login })
      .catch((error: unknown) => {
        response.statusCode = 500;
        response.end(String(error));
      });
  });
  return running;
}

/** What the configuration file of a server that trusts it says. */
export function configOf({ issuer, clientId, clientSecret }: TestProvider): string {
  return `[identity_providers.acme]
label = "Acme"
issuer = "${issuer}"
client_id = "${clientId}"
client_secret = "${clientSecret}"
`;
}

interface NewProvider {
  readonly changguUrl: string;
  readonly people: TestProvider['people'];
  readonly jwk: JWK;
}

function newProvider(issuer: string, { changguUrl, people, jwk }: NewProvider): Provider {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [`${changguUrl}/v1/auth/providers/acme/callback`],
        post_logout_redirect_uris: [`${changguUrl}/console`],
        backchannel_logout_uri: `${changguUrl}/v1/auth/providers/acme/logout`,
        backchannel_logout_session_required: true,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    claims: {
      openid: ['sub', 'amr', 'sid'],
      email: ['email', 'email_verified'],
      profile: ['name'],
    },
    jwks: { keys: [jwk] },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    expiresWithSession: async () => true,
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          ctx.body = `${form}<button form="op.logoutForm" name="logout" value="yes">Log out</button>`;
        },
      },
    },
    // Its own refuses addresses of this machine, where the other side is.
    fetch: (address, { method, headers, body } = {}) =>
      fetch(address, {
        ...(method === undefined ? {} : { method }),
        ...(headers === undefined ? {} : { headers }),
        ...(body === undefined ? {} : { body }),
      }),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    // A first-party client: it asks no consent.
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    async findAccount(_ctx, accountId) {
      const known = people.get(accountId);
      if (known === undefined) return undefined;
      return {
        accountId,
        claims: async () => ({
          sub: accountId,
          email: known.email,
          email_verified: known.emailVerified ?? true,
          name: known.name,
          amr: known.amr ? [...known.amr] : undefined,
        }),
      };
    },
  });
  return provider;
}

function addressOf(server: Server): string {
  // A TCP server that listens has one.
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}
