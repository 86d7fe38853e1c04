import { parseSecrets, type SecretStore } from './secret-store.ts';

const SERVICE = 'changgu';
/** A keychain that asks its user, or hangs, is given up after this. */
const LIMIT_MS = 3_000;

/** The keychain of the system, through an optional native module. Every method throws where there is none. */
export function keyringStore(): SecretStore {
  return {
    kind: 'keyring',
    async read(profile) {
      const text = await call(profile, (entry, signal) => entry.getPassword(signal));
      return text ? parseSecrets(text) : null;
    },
    async write(profile, secrets) {
      await call(profile, (entry, signal) => entry.setPassword(JSON.stringify(secrets), signal));
    },
    remove: (profile) => call(profile, (entry, signal) => entry.deleteCredential(signal)),
  };
}

type Entry = import('@napi-rs/keyring').AsyncEntry;

async function call<T>(
  profile: string,
  use: (entry: Entry, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { AsyncEntry } = await import('@napi-rs/keyring');
  const signal = AbortSignal.timeout(LIMIT_MS);
  // The module does not give up by itself while the system asks its user, whatever the signal says.
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([use(new AsyncEntry(SERVICE, profile), signal), late]);
}
