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

  /** The JWKS as it is, the key in use first. The client itself keeps them and needs no such call. */
  get(options?: RequestOptions): Reply<EncryptionJwks> {
    return this.#caller.call('readEncryptionKeys', {}, options);
  }
}
