import type { Io } from '../io.ts';
import { parseSecrets, type SecretStore } from './secret-store.ts';

const SERVICE = 'changgu';
/** A keychain that asks its user, or hangs, is given up after this. */
const MAX_WAIT_MS = 3_000;
/**
 * Without a pin, headless Linux takes the kernel's keyring: lost at the next boot, and readable by processes that
 * outlive a logout.
 */
const OPTIONS = { linux: { store: 'secret-service' } } as const;

/** The part of the native module that is used. */
export type Keychain = Pick<typeof import('@napi-rs/keyring'), 'AsyncEntry'>;

/**
 * The keychain of the system, through an optional native module: the login keychain of macOS, the Credential Manager
 * of Windows, the Secret Service of Linux. Every method throws where there is none.
 * @param account what a profile's secret is called there
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
  // The module does not give up by itself while the system asks its user, whatever the signal says.
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  // Called within, because where there is no keychain the module throws at once.
  return Promise.race([Promise.resolve().then(() => work(signal)), late]);
}
