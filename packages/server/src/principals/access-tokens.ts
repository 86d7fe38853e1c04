import { OAUTH_SCOPES } from '@changgu/contract';
import { artifactHash } from '../crypto/artifact-hash.ts';
import { SYSTEM_SCOPE, type Vault } from '../crypto/vault.ts';
import type { ClientPrincipal } from '../rules/principals/principal.ts';
import type { Store } from '../store/database.ts';
import { oauthArtifactPlace } from '../store/schema/sealed-places.ts';
import { shareLookups } from '../store/transactions/shared-lookups.ts';

const KIND = 'AccessToken';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** The precision of the last use: one write a minute instead of one per call. */
const LAST_USE_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/** The principal of an OAuth token at one resource; null when unknown, expired, revoked or for another resource. */
export type VerifyAccessToken = (
  token: string,
  resource: string,
) => Promise<ClientPrincipal | null>;

interface Dependencies {
  readonly store: Pick<Store, 'oauthGrants'>;
  readonly vault: Pick<Vault, 'open'>;
  readonly clock: { realNow(): number };
}

interface TokenPayload {
  readonly exp: number;
  readonly aud?: string | readonly string[];
  readonly scope?: string;
}

/** Whether this has the form of an OAuth token. Console tokens contain dots. */
export function isAccessToken(token: string): boolean {
  return TOKEN.test(token);
}

/** Asks the database each time: what was revoked before a request came is refused, on every process. */
export function createAccessTokens(
  { store, vault, clock }: Dependencies,
  refusedClients: readonly string[] = [],
): VerifyAccessToken {
  const find = shareLookups(store.oauthGrants.findAccessToken);
  const noteUse = createUseNotes(store);

  return async (token, resource) => {
    const idHash = artifactHash(token);
    const found = await find(idHash);
    if (found === null || refusedClients.includes(found.grant.clientId)) return null;
    const sealed = oauthArtifactPlace(KIND, idHash);
    const bytes = await vault.open(SYSTEM_SCOPE, sealed, found.payload);
    const { exp, aud, scope }: TokenPayload = JSON.parse(Buffer.from(bytes).toString());
    const { grant } = found;
    const now = clock.realNow();
    if (now >= exp * 1_000 || now >= grant.expiresAt) return null;
    if (![aud].flat().includes(resource)) return null;
    noteUse(grant.id);
    const sent = new Set(scope?.split(' '));
    const scopes = OAUTH_SCOPES.filter((each) => sent.has(each) && grant.scopes.includes(each));
    const mayAct = scopes.includes('jobs:irreversible');
    return {
      kind: 'client',
      id: grant.id,
      organizationId: grant.organizationId,
      allowedEnvScopes: grant.envScopes,
      integrationProfile: 'standard_external',
      readOnly: !mayAct,
      allowedActions: grant.allowedActions,
      allowIrreversibleTools: mayAct,
      manageWebhooks: false,
      scopes,
    };
  };
}

/** Runs in the background; if it fails, the next minute's write records the use. */
function createUseNotes({ oauthGrants }: Dependencies['store']) {
  const noted = new Map<string, number>();
  return (grantId: string): void => {
    const now = performance.now();
    const last = noted.get(grantId);
    if (last !== undefined && now - last < LAST_USE_MS) return;
    if (noted.size >= MAX_REMEMBERED) noted.clear();
    noted.set(grantId, now);
    oauthGrants.used(grantId).catch(() => {});
  };
}
