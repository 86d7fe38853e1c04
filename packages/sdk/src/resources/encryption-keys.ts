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

  /** The JWKS unchanged, the current key first. The client caches it by itself and does not need this call. */
  get(options?: RequestOptions): Reply<EncryptionJwks> {
    return this.#caller.call('readEncryptionKeys', {}, options);
  }
}
