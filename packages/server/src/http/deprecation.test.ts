import { expect, it } from 'vitest';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import { createJobDeprecation } from './deprecation.ts';

it('fails no answer about a job whose version cannot be read (D121)', async () => {
  const jobs = {
    productVersion: async () => {
      throw new ServiceError('SERVICE_UNAVAILABLE');
    },
  };
  const headersOf = createJobDeprecation({ jobs } as unknown as Pick<Store, 'jobs'>, {
    deprecated: () => new Map([[7, 1]]),
  });
  expect(await headersOf('0b06b1a4-9a8e-4cf4-b1f5-1e2f3c4d5e6f')).toEqual({});
});
