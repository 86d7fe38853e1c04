import { type Changgu, isChangguError } from '@changgu/sdk';
import type { CatalogueInstitution } from '@changgu/sdk/catalogue';
import { z } from 'zod';
import type { Log } from './log.ts';

/** A service that does not answer must not keep a host waiting at its start. */
const LIMIT_MS = 3_000;

const Text = z.object({ ko: z.string(), en: z.string() });
const ObjectSchema = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.record(z.string(), z.unknown())),
  required: z.array(z.string()).default([]),
});
const Action = z.object({
  id: z.string(),
  provider: z.string(),
  title: Text,
  description: Text,
  usageTokens: z.int(),
  irreversible: z.boolean(),
  selectsAccount: z.boolean(),
  link: z.enum(['required', 'optional']),
  needsSession: z.boolean(),
  loginAction: z.string().nullable(),
  timeoutSeconds: z.number(),
  encryptedFields: z.record(z.string(), Text),
  publicTool: z.boolean(),
  toolName: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/),
  file: z.object({ format: z.enum(['xlsx', 'pdf', 'any']), task: z.string() }).nullable(),
  taxPortal: z.null(),
  ownerKind: z.enum(['business', 'individual']).nullable(),
  params: ObjectSchema,
  result: ObjectSchema,
});
const Document = z.object({
  'x-own-institutions': z
    .array(
      z.object({
        provider: z.string(),
        title: Text,
        kind: z.enum(['bank', 'tax', 'employment', 'social_insurance', 'other']),
        linkTypes: z.array(z.enum(['certificate', 'id_password', 'consent'])),
        consentFeatures: z.array(z.string()),
        selectableAssets: z.array(z.string()),
        actions: z.array(Action),
      }),
    )
    .default([]),
});

/**
 * Institutions that a team added to its server (D149), by the server's own OpenAPI document. Without an answer there are
 * none: what everybody has is in the package.
 */
export async function readOwnInstitutions(
  client: Changgu,
  log: Log,
): Promise<readonly CatalogueInstitution[]> {
  try {
    const request = { method: 'GET', path: '/openapi.json' } as const;
    const { body } = await client.request(request, { totalTimeoutMs: LIMIT_MS });
    return Document.parse(body)['x-own-institutions'];
  } catch (error) {
    const code = isChangguError(error) ? error.code : 'INVALID_RESPONSE';
    log.warn('own institutions could not be read', { code });
    return [];
  }
}
