import type { Io } from '../io.ts';
import { parseSecrets, type SecretStore } from './secret-store.ts';

const SERVICE = 'changgu';
/** A keychain that waits for its user, or hangs, is abandoned after this. */
const MAX_WAIT_MS = 3_000;
/**
 * By default, headless Linux uses the kernel's keyring, which is lost at the next boot and readable by processes that
 * outlive a logout.
 */
const OPTIONS = { linux: { store: 'secret-service' } } as const;

/** The part of the native module that this uses. */
export type Keychain = Pick<typeof import('@napi-rs/keyring'), 'AsyncEntry'>;

/**
 * The keychain of the system, through an optional native module: the login keychain of macOS, the Credential Manager
 * of Windows, the Secret Service of Linux. Every method throws if there is none.
 * @param account the name of a profile's secret there
 */
export function keyringStore(
  { loadKeychain }: Pick<Io, 'loadKeychain'>,
  account: (profile: string) => string,
): SecretStore {
  const use = async <T>(
    profile: string,
    act: (entry: Entry, signal: AbortSignal) => Promise<T>,
  ) => {
    const { AsyncEntry } = await (loadKeychain?.() ?? import('@napi-rs/keyring'));
    return inTime((signal) => act(new AsyncEntry(SERVICE, account(profile), OPTIONS), signal));
  };
  return {
    kind: 'keyring',
    async read(profile) {
      const text = await use(profile, (entry, signal) => entry.getPassword(signal));
      return text ? parseSecrets(text) : null;
    },
    async write(profile, secrets) {
      await use(profile, (entry, signal) => entry.setPassword(JSON.stringify(secrets), signal));
    },
    remove: (profile) => use(profile, (entry, signal) => entry.deleteCredential(signal)),
  };
}

type Entry = import('@napi-rs/keyring').AsyncEntry;

async function inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(MAX_WAIT_MS);
  // The module does not stop while the system asks its user, whatever the signal says.
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  // Called inside, because the module throws at once where there is no keychain.
  return Promise.race([Promise.resolve().then(() => work(signal)), late]);
}
