import type { JsonSchema } from '../json-schema.ts';
import type { May, OAuthScope } from '../principals.ts';

/** How each kind of principal authenticates. */
export const SECURITY_SCHEMES: JsonSchema = {
  client: {
    type: 'http',
    scheme: 'basic',
    description: 'Client credentials: client id and client secret',
  },
  oauth: {
    type: 'http',
    scheme: 'bearer',
    description: 'OAuth token that a person approved for a client, where the server has OAuth on',
  },
  console_user: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Token from the console login',
  },
  console_session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-changgu_session',
    description:
      'Cookie of a login with `cookie`; a writing request also sends X-CSRF-Token and an Origin of this service',
  },
  admin_user: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Token created by `changgu-server admin token`',
  },
  legacy_api_key: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'Legacy key, bound to one organization and one environment',
  },
};

/** The alternatives for each kind that may call; none for an open operation. */
export function securityOf(may: May, scope: OAuthScope | undefined): readonly JsonSchema[] {
  if (may === 'anyone') return [];
  const kinds = Object.keys(may).flatMap((kind) =>
    kind === 'console_user' ? [{ console_user: [] }, { console_session: [] }] : [{ [kind]: [] }],
  );
  return scope === undefined ? kinds : [...kinds, { oauth: [scope] }];
}
