import type { EncryptionJwks } from '@changgu/contract';
import type { Caller } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import type { Reply } from '../request/reply.ts';

/** The service's public keys, for a page that encrypts with `@changgu/sdk/encrypt`. */
export class EncryptionKeys {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * The JWKS unchanged, the current key first. The client caches it by itself and does not need this call. It is of the
   * organization that submits jobs: if console calls are of another, get the keys for its links with a client that has
   * the console token only.
   */
  get(options?: RequestOptions): Reply<EncryptionJwks> {
    return this.#caller.call('readEncryptionKeys', {}, options);
  }
}
