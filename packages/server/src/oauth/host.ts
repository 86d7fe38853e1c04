import type { Provider } from 'oidc-provider';
import type { KeyRing } from '../crypto/key-ring.ts';
import type { OAuthAddresses } from './addresses.ts';
import { createDocumentFetch, type DocumentFetch } from './client-documents.ts';
import { createInteractions, type Interactions } from './interactions.ts';
import { openProvider, type ProviderDependencies } from './provider.ts';

/** The longest time until a key that another process created is used. */
const KEYS_WITHIN_MS = 60_000;

/** The authorization server of one process. */
export interface OAuthHost {
  provider(): Promise<Provider>;
  readonly interactions: Interactions;
  close(): Promise<void>;
}

export interface OAuthHostOptions
  extends Omit<ProviderDependencies, 'addresses' | 'ring' | 'documents'> {
  readonly ring: Pick<KeyRing, 'keys' | 'maintain'>;
  /** Set once the server listens. */
  readonly addresses: () => OAuthAddresses;
  readonly documents?: DocumentFetch;
}

/** Creates the library's server on first use, and again when the keys change. */
export function createOAuthHost(options: OAuthHostOptions): OAuthHost {
  const documents = options.documents ?? createDocumentFetch();
  let opened: Promise<Provider> | undefined;
  let openedWith = '';
  let lookedAt = Number.NEGATIVE_INFINITY;

  async function provider(): Promise<Provider> {
    const now = performance.now();
    if (opened !== undefined && now - lookedAt < KEYS_WITHIN_MS) return opened;
    lookedAt = now;
    await options.ring.maintain();
    const kids = (await options.ring.keys()).map(({ kid }) => kid).join(' ');
    if (opened === undefined || kids !== openedWith) {
      openedWith = kids;
      opened = openProvider({ ...options, documents, addresses: options.addresses() });
      opened.catch(() => {
        opened = undefined;
      });
    }
    return opened;
  }

  const { store, realNow, addresses } = options;
  return {
    provider,
    interactions: createInteractions({ store, provider, addresses, realNow }),
    close: documents.close,
  };
}
