import { randomBytes, randomUUID } from 'node:crypto';
import type {
  FactorRecord,
  PasskeyAddRequest,
  PasskeyAddResponse,
  PasskeyOptions,
  PasskeyProof,
} from '@changgu/contract/schemas';
import { SYSTEM_SCOPE, type Vault } from '../crypto/vault.ts';
import { kstDay, kstTime } from '../rules/kst.ts';
import { actorOf, type RequestOrigin } from '../rules/principals/actor.ts';
import type { ConsolePrincipal } from '../rules/principals/principal.ts';
import { type RelyingParty, relyingPartyOf } from '../rules/principals/relying-party.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import type { Factor } from '../store/people/own-factors.ts';
import type { PasskeyFacts } from '../store/people/passkeys.ts';
import { factorSecretPlace } from '../store/schema/sealed-places.ts';
import { newRecoveryCodes } from './factor-codes.ts';
import { ATTEMPT_MS, type AttemptSecrets, newAttempt, readAttempt } from './passkey-attempts.ts';

const USER_HANDLE_BYTES = 32;
/** EdDSA, ES256 and RS256; every authenticator supports one of them. */
const ALGORITHMS = [-8, -7, -257];

export interface PasskeyDependencies {
  readonly store: Pick<Store, 'passkeys' | 'users' | 'audit'>;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly clock: { readonly realNow: () => number };
  readonly publicBaseUrl: () => string;
  readonly attemptSecrets: () => AttemptSecrets;
}

/** The library is loaded only when passkeys are used. */
const webauthn = () => import('@simplewebauthn/server');

/** @throws ServiceError PASSKEYS_UNAVAILABLE */
function partyOf({ publicBaseUrl }: Pick<PasskeyDependencies, 'publicBaseUrl'>): RelyingParty {
  const party = relyingPartyOf(publicBaseUrl());
  if (party === null) throw new ServiceError('PASSKEYS_UNAVAILABLE');
  return party;
}

/** The same for everyone: the authenticator knows whose passkeys it holds. @throws ServiceError PASSKEYS_UNAVAILABLE */
export async function beginProof(dependencies: PasskeyDependencies): Promise<PasskeyOptions> {
  const { clock, attemptSecrets } = dependencies;
  const { id: rpID } = partyOf(dependencies);
  const { attempt, challenge, expiresAt } = newAttempt(
    attemptSecrets(),
    { kind: 'prove' },
    clock.realNow(),
  );
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID,
    challenge: plain(challenge),
    userVerification: 'required',
    timeout: ATTEMPT_MS,
  });
  return { attempt, public_key: { ...options }, expires_at: kstTime(expiresAt) };
}

/**
 * The user whose passkey has signed, or null. A proof that names an existing passkey is used up in any case.
 * @throws ServiceError PASSKEYS_UNAVAILABLE
 */
export async function provePasskey(
  dependencies: PasskeyDependencies,
  { attempt, credential }: PasskeyProof,
  origin: RequestOrigin,
): Promise<number | null> {
  const { store, clock, attemptSecrets } = dependencies;
  const party = partyOf(dependencies);
  const asked = readAttempt(attemptSecrets(), attempt, clock.realNow());
  const passkey = await store.passkeys.find(credential.id);
  if (passkey === null || asked?.purpose.kind !== 'prove') return null;
  const { hash: attemptHash, expiresAt, challenge } = asked;
  const isFresh = await store.passkeys.useAttempt({ attemptHash, expiresAt });
  const counter = isFresh
    ? await checkSignature(dependencies, { party, passkey, challenge, credential })
    : null;
  const reason = !isFresh
    ? 'replay'
    : counter === null
      ? 'signature'
      : (await store.passkeys.use({ id: passkey.id, counter }))
        ? null
        : 'counter';
  if (reason === null) return passkey.userId;
  await recordRefusal(dependencies, passkey, reason, origin);
  return null;
}

interface Signature {
  readonly party: RelyingParty;
  readonly passkey: PasskeyFacts;
  readonly challenge: Buffer;
  readonly credential: PasskeyProof['credential'];
}

/** The authenticator's counter, or null when the signature is invalid. */
async function checkSignature(
  { vault }: PasskeyDependencies,
  { party, passkey, challenge, credential }: Signature,
): Promise<number | null> {
  const { response, id, rawId, type } = credential;
  const { userHandle } = response;
  if (userHandle && userHandle !== passkey.userHandle) return null;
  const publicKey = await vault.open(
    SYSTEM_SCOPE,
    factorSecretPlace(passkey.id),
    passkey.publicKey,
  );
  const { verifyAuthenticationResponse } = await webauthn();
  try {
    const { clientDataJSON, authenticatorData, signature } = response;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      // The counter is compared in the database, so that two concurrent uses cannot both pass.
      credential: { id: passkey.credentialId, publicKey: plain(publicKey), counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

async function recordRefusal(
  { store }: PasskeyDependencies,
  { id, userId }: PasskeyFacts,
  reason: string,
  origin: RequestOrigin,
): Promise<void> {
  const user = await store.users.find({ userId });
  await store.audit.record({
    actor: actorOf({ kind: 'system', id: 'login' }, origin),
    organizationId: user?.organizationId ?? null,
    act: 'factor.refuse',
    target: String(userId),
    details: { factor_id: id, reason },
  });
}

/** The caller has already proved its identity. @throws ServiceError PASSKEYS_UNAVAILABLE */
export async function beginPasskey(
  dependencies: PasskeyDependencies,
  { userId, session }: ConsolePrincipal,
  { email, name }: { readonly email: string; readonly name: string },
): Promise<PasskeyOptions> {
  const { store, clock, attemptSecrets } = dependencies;
  const { id: rpID } = partyOf(dependencies);
  const own = await store.passkeys.ofUser(userId);
  const userHandle = own.userHandle ?? randomBytes(USER_HANDLE_BYTES).toString('base64url');
  const { attempt, challenge, expiresAt } = newAttempt(
    attemptSecrets(),
    { kind: 'add', userId, sessionId: session?.id ?? null, userHandle },
    clock.realNow(),
  );
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpID,
    rpName: 'Changgu',
    userName: email,
    userDisplayName: name,
    userID: plain(Buffer.from(userHandle, 'base64url')),
    challenge: plain(challenge),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    // An authenticator holds at most one passkey of a user.
    excludeCredentials: own.credentials.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    timeout: ATTEMPT_MS,
  });
  return { attempt, public_key: { ...options }, expires_at: kstTime(expiresAt) };
}

/** @throws ServiceError PASSKEY_INVALID, PASSKEYS_UNAVAILABLE, CONFLICT_DUPLICATE, POLICY_LIMIT_REACHED */
export async function addPasskey(
  dependencies: PasskeyDependencies,
  principal: ConsolePrincipal,
  request: PasskeyAddRequest,
  origin: RequestOrigin,
): Promise<PasskeyAddResponse> {
  const { store, vault } = dependencies;
  const { userId, organizationId, session } = principal;
  const sessionId = session?.id ?? null;
  const { credential, userHandle } = await checkNewPasskey(dependencies, principal, request);
  const id = randomUUID();
  const { codes, hashes } = newRecoveryCodes();
  const publicKey = await vault.seal(
    SYSTEM_SCOPE,
    factorSecretPlace(id),
    Buffer.from(credential.publicKey),
  );
  const { factor, isFirst } = await store.passkeys.add({
    id,
    userId,
    organizationId,
    label: request.label ?? null,
    credentialId: credential.id,
    userHandle,
    publicKey,
    counter: credential.counter,
    transports: request.credential.response.transports ?? [],
    codeHashes: hashes,
    sessionId,
    actor: actorOf(principal, origin),
  });
  return { factor: factorView(factor), recovery_codes: isFirst ? codes : null };
}

/** The new key, if this session began the attempt and has not finished it. @throws ServiceError PASSKEY_INVALID */
async function checkNewPasskey(
  dependencies: PasskeyDependencies,
  { userId, session }: ConsolePrincipal,
  { attempt, credential }: PasskeyAddRequest,
) {
  const { store, clock, attemptSecrets } = dependencies;
  const party = partyOf(dependencies);
  const asked = readAttempt(attemptSecrets(), attempt, clock.realNow());
  const { purpose } = asked ?? {};
  const isOwn =
    purpose?.kind === 'add' &&
    purpose.userId === userId &&
    purpose.sessionId === (session?.id ?? null);
  if (!asked || !isOwn) throw new ServiceError('PASSKEY_INVALID');
  const { hash: attemptHash, expiresAt, challenge } = asked;
  if (!(await store.passkeys.useAttempt({ attemptHash, expiresAt }))) {
    throw new ServiceError('PASSKEY_INVALID');
  }
  const { verifyRegistrationResponse } = await webauthn();
  const { id, rawId, type, response } = credential;
  const { clientDataJSON, attestationObject } = response;
  const checked = await verifyRegistrationResponse({
    response: {
      id,
      rawId,
      type,
      clientExtensionResults: {},
      response: { clientDataJSON, attestationObject },
    },
    expectedChallenge: challenge.toString('base64url'),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null);
  if (!checked?.verified) throw new ServiceError('PASSKEY_INVALID');
  return { credential: checked.registrationInfo.credential, userHandle: purpose.userHandle };
}

export function factorView({ id, kind, label, createdAt, lastUsedAt }: Factor): FactorRecord {
  return {
    factor_id: id,
    kind,
    label,
    created_at: kstTime(createdAt),
    last_used_on: lastUsedAt === null ? null : kstDay(lastUsedAt),
  };
}

/** Outside the pool that Node's buffers share. */
function plain(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
