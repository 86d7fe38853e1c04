import { Type } from 'typebox';
import { defineOperation } from '../define-operation.ts';
import { ENV_SCOPES } from '../principals.ts';
import { EncryptionJwks } from '../schemas/membership.ts';
import { oneOf } from '../schemas/vocabulary.ts';

export const readEncryptionKeys = defineOperation({
  id: 'readEncryptionKeys',
  method: 'GET',
  path: '/v1/crypto/public-key',
  tag: 'encryption',
  summary: 'Get the public keys for encrypting sensitive values',
  description: 'Encrypt with the first key. During a rotation the previous key is listed after it.',
  may: { client: true, console_user: 'MEMBER', admin_user: true, legacy_api_key: true },
  scope: 'jobs:submit',
  environment: 'header_or_query',
  query: Type.Object({ env_scope: Type.Optional(oneOf(ENV_SCOPES)) }),
  responses: {
    200: {
      description: 'A JSON Web Key Set',
      schema: EncryptionJwks,
      headers: {
        'Cache-Control': 'max-age=300',
        Vary: 'The headers that decide whose keys these are',
      },
    },
  },
  errors: ['RESOURCE_NOT_FOUND'],
});
