import type { PasskeyAddResponse, PasskeyProof } from '@changgu/contract';
import { loadPart } from '../app/load-part.ts';
import { call } from './call.ts';
import type { SecondProof } from './second-proof.ts';
import { enter } from './sign-in.ts';

/** Browsers support passkeys on domain names only. */
const isBareAddress = /^[\d.]+$|^\[/.test(window.location.hostname);

export const canUsePasskeys = !isBareAddress && 'PublicKeyCredential' in window;

/** The same page under a host name, for a developer's machine. */
export const passkeyAddress = window.location.hostname.startsWith('127.')
  ? `http://localhost:${window.location.port}`
  : null;

/** The person closed the browser's dialog or waited too long. */
export class PasskeyCanceledError extends Error {
  override readonly name = 'PasskeyCanceledError';
}

const library = () => loadPart(() => import('@simplewebauthn/browser'));

/** Asks the person for a signature. @throws PasskeyCanceledError */
export async function provePasskey(): Promise<PasskeyProof> {
  const { attempt, public_key } = await call('beginPasskeyLogin');
  const { startAuthentication } = await library();
  const optionsJSON = writtenByLibrary<Parameters<typeof startAuthentication>>(public_key);
  const credential = await orCanceled(startAuthentication({ optionsJSON }));
  const { id, rawId, type, response } = credential;
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return {
    attempt,
    credential: {
      id,
      rawId,
      type,
      clientExtensionResults: {},
      response: {
        clientDataJSON,
        authenticatorData,
        signature,
        ...(userHandle === undefined ? {} : { userHandle }),
      },
    },
  };
}

/** @throws PasskeyCanceledError */
export async function logInWithPasskey(): Promise<void> {
  const proof = await provePasskey();
  enter(await call('loginWithPasskey', { body: { ...proof, cookie: true } }));
}

/** @throws PasskeyCanceledError, ApiError */
export async function addPasskey(
  proof: SecondProof,
  label: string | undefined,
): Promise<PasskeyAddResponse> {
  const { attempt, public_key } = await call('beginPasskey', { body: proof });
  const { startRegistration } = await library();
  const optionsJSON = writtenByLibrary<Parameters<typeof startRegistration>>(public_key);
  const { id, rawId, type, response } = await orCanceled(startRegistration({ optionsJSON }));
  const { clientDataJSON, attestationObject, transports } = response;
  const credential = {
    id,
    rawId,
    type,
    clientExtensionResults: {},
    response: {
      clientDataJSON,
      attestationObject,
      ...(transports === undefined ? {} : { transports }),
    },
  };
  return call('addPasskey', { body: { attempt, credential, label: label ?? null } });
}

/** The API accepts any object here; the server's half of the library wrote what the browser's half reads. */
function writtenByLibrary<Call extends readonly [{ optionsJSON: unknown }]>(
  options: object,
): Call[0]['optionsJSON'] {
  return options as Call[0]['optionsJSON'];
}

async function orCanceled<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (failure) {
    const isCanceled =
      failure instanceof Error && ['NotAllowedError', 'AbortError'].includes(failure.name);
    throw isCanceled ? new PasskeyCanceledError() : failure;
  }
}
