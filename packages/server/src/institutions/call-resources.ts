import type { Vault } from '../crypto/vault.ts';
import { laneScope } from '../rules/links/link-purpose.ts';
import type { InstitutionAddresses } from './addresses.ts';
import type { Call, CallAccount, CallLink, InstitutionSite, RealScope } from './connector.ts';
import type { PortalHttp } from './portal/client/http-client.ts';
import { createPortalSessions, NO_SESSION, type SessionStore } from './portal/portal-session.ts';

/** The parts of a call from outside the job: decrypted credentials, the portal session, the client. */
export type CallResources = Pick<Call, 'link' | 'account' | 'session' | 'openPortal'>;

export interface ResourceDependencies {
  readonly addresses: Pick<InstitutionAddresses, 'urlOf' | 'origins'>;
  readonly sessions: SessionStore;
  /** The particulars of a provider's site. */
  readonly siteOf: (provider: string) => InstitutionSite;
  readonly vault: Pick<Vault, 'open' | 'seal'>;
  /** Business time in milliseconds. */
  readonly now: () => Promise<number>;
  /** Created on first use, because its libraries are slow to load. */
  readonly http: () => Promise<PortalHttp>;
}

export interface ResourceOrder {
  readonly organizationId: number;
  readonly provider: string;
  readonly envScope: RealScope;
  readonly signal: AbortSignal;
  readonly link: CallLink | null;
  readonly account: CallAccount | null;
}

/** Opens the portal of a call with its link's session. */
export function createResourceOpener(
  dependencies: ResourceDependencies,
): (order: ResourceOrder) => Promise<CallResources> {
  const sessions = createPortalSessions(
    dependencies.sessions,
    dependencies.vault,
    dependencies.now,
  );
  return async ({ organizationId, provider, envScope, signal, link, account }) => {
    const site = dependencies.siteOf(provider);
    const [baseUrl, http] = await Promise.all([
      dependencies.addresses.urlOf(envScope, provider),
      dependencies.http(),
    ]);
    const session = link
      ? sessions.of(
          {
            organizationId,
            accountLinkId: link.id,
            envScope: laneScope(envScope, dependencies.addresses.origins(provider)),
          },
          signal,
          site.sessionIdleMs,
        )
      : NO_SESSION;
    return {
      link,
      account,
      session,
      openPortal: (cookies) => http.open({ baseUrl, cookies, signal, site }),
    };
  };
}
