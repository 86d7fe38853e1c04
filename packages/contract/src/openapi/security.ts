import type { JsonSchema } from '../json-schema.ts';
import type { May } from '../principals.ts';

/** How each kind of principal shows who it is. */
export const SECURITY_SCHEMES: JsonSchema = {
  client: {
    type: 'http',
    scheme: 'basic',
    description: 'Client credentials: client id and client secret',
  },
  console_user: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Token from the console login',
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

/** One alternative per kind that may call; none for an open operation. */
export function securityOf(may: May): readonly JsonSchema[] {
  return may === 'anyone' ? [] : Object.keys(may).map((kind) => ({ [kind]: [] }));
}
