import { randomUUID } from 'node:crypto';
import type {
  FactorAddRequest,
  FactorAddResponse,
  FactorListResponse,
  FactorProofRequest,
  FactorRecord,
  FactorRemoveResponse,
  OrganizationSecurity,
  PasskeyBeginRequest,
  PasskeyOptions,
  RecoveryCodesResponse,
} from '@changgu/contract/schemas';
import type { Clock } from '../clock.ts';
import { SYSTEM_SCOPE, type Vault } from '../crypto/vault.ts';
import { actorOf, type RequestOrigin } from '../rules/principals/actor.ts';
import type { ConsolePrincipal } from '../rules/principals/principal.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import type { TotpFacts } from '../store/people/factors.ts';
import { factorSecretPlace } from '../store/schema/sealed-places.ts';
import { hashRecoveryCode, newRecoveryCodes, newTotp, stepOf } from './factor-codes.ts';
import { confirmPassword } from './own-password.ts';
import { beginPasskey, factorView, type PasskeyDependencies, provePasskey } from './passkeys.ts';
import type { SecondProof } from './prove-password.ts';

export interface FactorDependencies extends PasskeyDependencies {
  readonly store: Pick<Store, 'factors' | 'users' | 'loginAttempts' | 'audit' | 'passkeys'>;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly clock: Pick<Clock, 'realNow'>;
}

/**
 * What a login requires of a user with a second factor: an app code or a recovery code, each once, or a passkey.
 * @param signer the user whose passkey has signed, where passkeys are accepted
 */
export function secondProof(
  dependencies: Pick<FactorDependencies, 'vault' | 'clock'> & {
    readonly store: Pick<Store, 'factors'>;
  },
  code: string | undefined,
  signer?: () => Promise<number | null>,
): SecondProof {
  const { factors } = dependencies.store;
  return async ({ userId }) => {
    const { hasFactor, totp } = await factors.proofs(userId);
    if (!hasFactor) return 'proven';
    if (signer !== undefined) return (await signer()) === userId ? 'proven' : 'refused';
    if (code === undefined) return 'missing';
    const step = totp && (await stepFor(dependencies, totp, code.replaceAll(/\s/g, '')));
    const proven =
      totp === null || step === null
        ? await factors.useRecoveryCode({ userId, codeHash: hashRecoveryCode(code) })
        : await factors.useStep({ id: totp.id, step });
    return proven ? 'proven' : 'wrong';
  };
}

async function stepFor(
  { vault, clock }: Pick<FactorDependencies, 'vault' | 'clock'>,
  { id, secret }: TotpFacts,
  code: string,
): Promise<number | null> {
  const bytes = await vault.open(SYSTEM_SCOPE, factorSecretPlace(id), secret);
  return stepOf(bytes, code, clock.realNow());
}

export async function listFactors(
  { factors }: Pick<Store, 'factors'>,
  { userId }: ConsolePrincipal,
): Promise<FactorListResponse> {
  const overview = await factors.overview(userId);
  return {
    items: overview.factors.map(factorView),
    recovery_codes_left: overview.recoveryCodesLeft,
    required: overview.required,
  };
}

/** @throws ServiceError RESOURCE_NOT_FOUND */
export async function renameFactor(
  { factors }: Pick<Store, 'factors'>,
  { userId }: ConsolePrincipal,
  id: string,
  label: string,
): Promise<FactorRecord> {
  return factorView(await factors.rename({ id, userId, label }));
}

/**
 * A user with a factor proves it before adding another one.
 * @throws ServiceError PASSWORD_MISMATCH, FACTOR_CODE_INVALID, PASSKEY_INVALID, RATE_LIMITED, CONFLICT_DUPLICATE
 */
export async function addFactor(
  dependencies: FactorDependencies,
  principal: ConsolePrincipal,
  request: FactorAddRequest,
  origin: RequestOrigin,
): Promise<FactorAddResponse> {
  const { store, vault } = dependencies;
  const { totp: has } = await store.factors.proofs(principal.userId);
  if (has !== null) throw new ServiceError('CONFLICT_DUPLICATE');
  const { userId, email } = await proveBoth(dependencies, principal, request, origin);
  const id = randomUUID();
  const totp = await newTotp(email);
  const secret = await vault.seal(SYSTEM_SCOPE, factorSecretPlace(id), totp.bytes);
  await store.factors.begin({ id, userId, label: request.label ?? null, secret });
  return { factor_id: id, secret: totp.secret, otpauth_url: totp.url };
}

/** @throws ServiceError PASSWORD_MISMATCH, FACTOR_CODE_INVALID, PASSKEY_INVALID, RATE_LIMITED, PASSKEYS_UNAVAILABLE */
export async function beginOwnPasskey(
  dependencies: FactorDependencies,
  principal: ConsolePrincipal,
  request: PasskeyBeginRequest,
  origin: RequestOrigin,
): Promise<PasskeyOptions> {
  const user = await proveBoth(dependencies, principal, request, origin);
  return beginPasskey(dependencies, principal, user);
}

/** @throws ServiceError RESOURCE_NOT_FOUND, FACTOR_CODE_INVALID */
export async function confirmFactor(
  dependencies: FactorDependencies,
  principal: ConsolePrincipal,
  { id, code }: { readonly id: string; readonly code: string },
  origin: RequestOrigin,
): Promise<RecoveryCodesResponse> {
  const { factors } = dependencies.store;
  const { userId, organizationId, session } = principal;
  const waiting = await factors.unconfirmed({ id, userId });
  if (waiting === null) throw new ServiceError('RESOURCE_NOT_FOUND');
  const step = await stepFor(dependencies, waiting, code.replaceAll(/\s/g, ''));
  if (step === null) throw new ServiceError('FACTOR_CODE_INVALID');
  const { codes, hashes } = newRecoveryCodes();
  await factors.confirm({
    id,
    userId,
    organizationId,
    step,
    codeHashes: hashes,
    sessionId: session?.id ?? null,
    actor: actorOf(principal, origin),
  });
  return { recovery_codes: codes };
}

/** @throws ServiceError PASSWORD_MISMATCH, FACTOR_CODE_INVALID, PASSKEY_INVALID, RATE_LIMITED, RESOURCE_NOT_FOUND */
export async function removeFactor(
  dependencies: FactorDependencies,
  principal: ConsolePrincipal,
  id: string,
  proof: FactorProofRequest,
  origin: RequestOrigin,
): Promise<FactorRemoveResponse> {
  await proveBoth(dependencies, principal, proof, origin);
  const { userId, organizationId } = principal;
  const actor = actorOf(principal, origin);
  await dependencies.store.factors.remove({ id, userId, organizationId, actor });
  return { factor_id: id, status: 'REMOVED' };
}

/** @throws ServiceError PASSWORD_MISMATCH, FACTOR_CODE_INVALID, PASSKEY_INVALID, RATE_LIMITED, CONFLICT_STATE */
export async function renewRecoveryCodes(
  dependencies: FactorDependencies,
  principal: ConsolePrincipal,
  proof: FactorProofRequest,
  origin: RequestOrigin,
): Promise<RecoveryCodesResponse> {
  await proveBoth(dependencies, principal, proof, origin);
  const { codes, hashes } = newRecoveryCodes();
  const { userId, organizationId } = principal;
  const actor = actorOf(principal, origin);
  await dependencies.store.factors.replaceRecoveryCodes({
    userId,
    organizationId,
    codeHashes: hashes,
    actor,
  });
  return { recovery_codes: codes };
}

/** Whether all members of the organization need a second factor, from their next request on. */
export async function requireFactor(
  { factors }: Pick<Store, 'factors'>,
  principal: ConsolePrincipal,
  required: boolean,
  origin: RequestOrigin,
): Promise<OrganizationSecurity> {
  const { organizationId } = principal;
  await factors.require({ organizationId, required, actor: actorOf(principal, origin) });
  return { second_factor_required: required };
}

/** There is a session already, so a missing second proof counts as a wrong one. */
function proveBoth(
  dependencies: FactorDependencies,
  principal: ConsolePrincipal,
  { password, factor_code, passkey }: FactorProofRequest,
  origin: RequestOrigin,
) {
  const second = secondProof(
    dependencies,
    factor_code ?? '',
    passkey && (() => provePasskey(dependencies, passkey, origin)),
  );
  return confirmPassword(dependencies.store, principal, password, origin, second);
}
