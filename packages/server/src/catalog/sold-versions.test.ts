import { expect, it } from 'vitest';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import { createSoldVersions } from './sold-versions.ts';

it('knows the deprecated versions of its last reading while the store is away (D121)', async () => {
  let now = 0;
  let isAway = true;
  const answer = async <Row>(rows: Row[]) => {
    if (isAway) throw new ServiceError('SERVICE_UNAVAILABLE');
    return rows;
  };
  const products = {
    sold: () => answer([]),
    deprecated: () => answer([{ versionId: 7, deprecatedAt: 1 }]),
  };
  const sold = createSoldVersions({ products } as unknown as Pick<Store, 'products'>, () => now);
  expect(await sold.deprecated()).toEqual(new Map());
  isAway = false;
  expect(await sold.deprecated()).toEqual(new Map([[7, 1]]));
  isAway = true;
  now = 1_000;
  expect(await sold.deprecated()).toEqual(new Map([[7, 1]]));
  // What is sold has to be known.
  await expect(sold.pin('bank_b.accounts.list')).rejects.toThrow();
});
