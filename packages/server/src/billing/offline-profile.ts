import type { EnvScope } from '@changgu/contract';
import type { OfflineProfileRecord, OfflineProfileRequest } from '@changgu/contract/schemas';
import { toBusinessNumber } from '../rules/identity/business-number.ts';
import type { Actor } from '../rules/principals/actor.ts';
import { invalidShape, ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';

interface Profiles {
  readonly store: Pick<Store, 'offlineProfiles'>;
}

interface Place {
  readonly organizationId: number;
  readonly envScope: EnvScope;
}

/** @throws ServiceError RESOURCE_NOT_FOUND when none was set yet */
export async function readOfflineProfile(
  { store }: Profiles,
  place: Place,
): Promise<OfflineProfileRecord> {
  const profile = await store.offlineProfiles.find(place);
  if (!profile) throw new ServiceError('RESOURCE_NOT_FOUND');
  return profile;
}

/** @throws ServiceError 422 for an invalid business number or address, RESOURCE_NOT_FOUND */
export async function replaceOfflineProfile(
  { store }: Profiles,
  { organizationId, envScope }: Place,
  body: OfflineProfileRequest,
  actor: Actor,
): Promise<OfflineProfileRecord> {
  const number = toBusinessNumber(body.business_number);
  if (number === null) throw wrong('business_number', 'Input should be a business number');
  if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(body.tax_email)) {
    throw wrong('tax_email', 'Input should be an email address');
  }
  const profile = {
    organization_id: organizationId,
    env_scope: envScope,
    company_name: body.company_name,
    business_number: number,
    tax_email: body.tax_email,
    payment_terms_days: body.payment_terms_days,
  };
  await store.offlineProfiles.replace({ profile, actor });
  return profile;
}

function wrong(field: string, msg: string): ServiceError {
  return invalidShape([{ loc: ['body', field], msg, type: 'value_error' }]);
}
