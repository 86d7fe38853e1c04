import type { Keychain } from '../../src/credentials/keyring-store.ts';

/** A keychain in memory, as the native module has it. */
export function keychain(fails?: Error) {
  const kept = new Map<string, string>();
  const options: unknown[] = [];
  class AsyncEntry {
    readonly #name: string;
    constructor(service: string, account: string, given?: unknown) {
      if (fails) throw fails;
      options.push(given);
      this.#name = `${service}/${account}`;
    }
    async getPassword(): Promise<string | null> {
      return kept.get(this.#name) ?? null;
    }
    async setPassword(secret: string) {
      kept.set(this.#name, secret);
    }
    async deleteCredential() {
      return kept.delete(this.#name);
    }
  }
  // The part of the module that is used, of the class only what is called.
  const load = async () => ({ AsyncEntry }) as unknown as Keychain;
  return { kept, options, load, AsyncEntry };
}
