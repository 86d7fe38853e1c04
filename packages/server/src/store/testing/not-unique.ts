import { expect } from 'vitest';
import type { TestStores } from './describe-stores.ts';

/** unique_violation */
const TAKEN = '23505';

/** How a database refuses a second row of the same key. PostgreSQL says it in the language of its server. */
export function notUnique({ dialect }: Pick<TestStores, 'dialect'>) {
  return dialect === 'postgres'
    ? expect.objectContaining({ code: TAKEN })
    : expect.objectContaining({ message: expect.stringContaining('UNIQUE') });
}
