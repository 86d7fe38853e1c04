import type { RegisterRequest, RegisterResponse } from '@changgu/contract/schemas';
import { hashPassword } from '../crypto/password.ts';
import type { PasswordCheck } from '../principals/password-check.ts';
import { toBusinessNumber } from '../rules/identity/business-number.ts';
import { normalizeEmail } from '../rules/identity/email.ts';
import { toE164 } from '../rules/identity/phone.ts';
import { kstTime } from '../rules/kst.ts';
import type { Origin } from '../rules/principals/actor.ts';
import { type FieldViolation, invalidShape, ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';

interface RegisterDependencies {
  readonly store: Pick<Store, 'users'>;
  readonly passwordCheck: PasswordCheck;
}

/**
 * Registers a user and an organization that the user owns.
 * @throws ServiceError CONSENT_REQUIRED, PASSWORD_POLICY, EMAIL_ALREADY_REGISTERED, 422 for phone and business number
 */
export async function register(
  { store, passwordCheck }: RegisterDependencies,
  request: RegisterRequest,
  origin: Origin,
): Promise<RegisterResponse> {
  const { phone, businessNumber } = readNumbers(request);
  if (!(request.agree_terms && request.agree_privacy)) throw new ServiceError('CONSENT_REQUIRED');
  const email = normalizeEmail(request.email);
  await passwordCheck(request.password, { email, name: request.name });
  const registered = await store.users.register({
    email,
    name: request.name,
    phone,
    passwordHash: await hashPassword(request.password),
    organizationName: request.company_name ?? request.name,
    businessNumber,
    origin,
  });
  return {
    user_id: registered.userId,
    email,
    name: request.name,
    organization_id: registered.organizationId,
    membership_tier: 'FREE',
    created_at: kstTime(registered.createdAt),
  };
}

function readNumbers({ phone, business_number: number }: RegisterRequest) {
  const violations: FieldViolation[] = [];
  const read = (name: string, text: string | null | undefined, as: typeof toE164, what: string) => {
    if (text === null || text === undefined) return null;
    const value = as(text);
    if (value === null) {
      violations.push({ loc: ['body', name], msg: `Value is not a ${what}`, type: 'value_error' });
    }
    return value;
  };
  const numbers = {
    phone: read('phone', phone, toE164, 'Korean mobile number'),
    businessNumber: read('business_number', number, toBusinessNumber, 'business number'),
  };
  if (violations.length > 0) throw invalidShape(violations);
  return numbers;
}
