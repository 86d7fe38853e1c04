import type { Operation } from '../define-operation.ts';
import { SDK_CALLS } from '../generated/sdk-calls.ts';
import type { JsonSchema } from '../json-schema.ts';

/** The call as a CLI command and as SDK code, in addition to the plain requests that readers of the document generate. */
export function codeSamplesOf(operation: Operation): JsonSchema[] {
  const call = SDK_CALLS[operation.id];
  return [
    ...(call === undefined ? [] : [{ lang: 'JavaScript', label: 'SDK', source: sdkLine(call) }]),
    { lang: 'Shell', label: 'CLI', source: commandOf(operation) },
  ];
}

function sdkLine(call: string): string {
  return `import { Changgu } from '@changgu/sdk';

// Uses CHANGGU_BASE_URL, CHANGGU_CLIENT_ID, CHANGGU_CLIENT_SECRET and CHANGGU_ENV_SCOPE.
const client = new Changgu();
const answer = await client.${call}(/* … */);`;
}

function commandOf({ method, path, body, idempotencyKey }: Operation): string {
  const name = method === 'GET' ? '' : `${method} `;
  return [
    `changgu api ${name}${path}`,
    ...(idempotencyKey === 'required' ? ['--idempotency-key "$(uuidgen)"'] : []),
    ...(body === undefined ? [] : ['--data @body.json']),
  ].join(' ');
}
