import { isDeepStrictEqual } from 'node:util';
import type { LinkPurpose } from '@changgu/contract/schemas';
import type { Vault } from '../crypto/vault.ts';
import type { JsonObject } from '../institutions/connector.ts';
import type { Actor } from '../rules/principals/actor.ts';
import type { Store } from '../store/database.ts';
import type { ConsentServer } from './consent-server.ts';
import { openCredential, sealCredential } from './stored-credential.ts';

/** A consent as its link has it. */
export interface HeldConsent {
  readonly authorization: JsonObject;
  /** What it was opened from. */
  readonly sealed: Uint8Array;
}

/** New tokens for those held, kept at the link too; null when the consent has ended. */
export type RenewConsent = (held: HeldConsent) => Promise<HeldConsent | null>;

export interface RenewalDependencies {
  readonly store: {
    readonly accountLinks: Pick<Store['accountLinks'], 'renew'>;
    readonly engine: Pick<Store['engine'], 'readCallRows'>;
  };
  readonly vault: Pick<Vault, 'open' | 'seal'>;
  readonly consentServers: {
    readonly of: (provider: string, purpose: LinkPurpose) => Promise<Pick<ConsentServer, 'renew'>>;
  };
}

interface LinkOfRun {
  readonly organizationId: number;
  readonly provider: string;
  readonly accountLinkId: string;
  /** The tokens go back to where they came from. */
  readonly purpose: LinkPurpose;
}

const ENGINE: Actor = { kind: 'system', id: 'engine', traceId: null };

/**
 * Renews the tokens of one link for one run. An unlinked link stores nothing:
 * the run may finish with the new tokens, which are then dropped.
 */
export function consentRenewal(
  { store, vault, consentServers }: RenewalDependencies,
  { organizationId, provider, accountLinkId, purpose }: LinkOfRun,
): RenewConsent {
  /** What the link has by now. */
  async function readConsent(): Promise<HeldConsent | null> {
    const rows = await store.engine.readCallRows({
      organizationId,
      accountLinkId,
      bankAccountCredentialId: null,
    });
    const existing = rows.link?.credential;
    if (!existing) return null;
    const opened = await openCredential(vault, organizationId, accountLinkId, existing);
    if (opened.type !== 'consent') return null;
    return { authorization: opened.authorization, sealed: existing };
  }

  /** Where a refresh token works once, another run may have used it: the link has what that run got. */
  async function renewedByAnother(held: HeldConsent): Promise<HeldConsent | null> {
    const existing = await readConsent();
    return existing !== null && isSame(existing, held) ? null : existing;
  }

  /** The bytes at the link also differ when the same tokens were sealed with another key meanwhile. */
  async function keep(held: HeldConsent, to: Uint8Array): Promise<void> {
    let from: HeldConsent | null = held;
    while (from !== null && isSame(from, held)) {
      const tokens = { from: from.sealed, to, actor: ENGINE };
      if (await store.accountLinks.renew({ id: accountLinkId, organizationId, ...tokens })) return;
      from = await readConsent();
    }
  }

  return async (held) => {
    const server = await consentServers.of(provider, purpose);
    const authorization = await server.renew(held.authorization);
    if (authorization === null) return renewedByAnother(held);
    const credential = { type: 'consent', authorization } as const;
    const sealed = await sealCredential(vault, organizationId, accountLinkId, credential);
    await keep(held, sealed);
    return { authorization, sealed };
  };
}

function isSame(one: HeldConsent, other: HeldConsent): boolean {
  return isDeepStrictEqual(one.authorization, other.authorization);
}
