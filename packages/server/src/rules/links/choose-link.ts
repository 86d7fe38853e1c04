import type { EnvScope, ErrorCode } from '@changgu/contract';
import type { LinkPurpose, LinkStatus } from '@changgu/contract/schemas';
import { serves } from './link-purpose.ts';
import type { OwnerKind } from './owner-kind.ts';

export interface LinkFacts {
  readonly id: string;
  readonly provider: string;
  readonly isPrimary: boolean;
  readonly purpose: LinkPurpose | null;
  readonly ownerKind: OwnerKind | null;
  readonly status: LinkStatus;
  /** The bank account that the request names, or otherwise the link's default; null when neither exists. */
  readonly accountId: string | null;
}

export type LinkChoice =
  /** `link` is null when the action does not need one, or when the given id is not the caller's. */
  | { readonly kind: 'chosen'; readonly id: string | null; readonly link: LinkFacts | null }
  | { readonly kind: 'none'; readonly code: ErrorCode };

interface LinkWish {
  readonly envScope: EnvScope;
  readonly provider: string;
  readonly link: 'required' | 'optional';
  readonly accountLinkId: string | null;
  /** The purposes of links that the environment uses; null for any. */
  readonly linkPurpose: LinkPurpose | null;
}

/**
 * Step 9: the given link, or the primary one, or the only one. Whether it may be
 * used is decided only after the replay (D20).
 */
export function chooseLink(links: readonly LinkFacts[], wish: LinkWish): LinkChoice {
  if (wish.accountLinkId !== null) {
    const sent = links.find(
      (link) => link.id === wish.accountLinkId && link.provider === wish.provider,
    );
    return { kind: 'chosen', id: wish.accountLinkId, link: sent ?? null };
  }
  const registered = links.filter(
    (link) =>
      link.provider === wish.provider &&
      link.status !== 'UNLINKED' &&
      serves(link.purpose, wish.linkPurpose),
  );
  const link = primaryOf(registered) ?? onlyOf(registered);
  if (link) return { kind: 'chosen', id: link.id, link };
  if (registered.length > 1) return { kind: 'none', code: 'ACCOUNT_LINK_REQUIRED' };
  if (wish.envScope === 'sandbox' || wish.link === 'optional') {
    return { kind: 'chosen', id: null, link: null };
  }
  return { kind: 'none', code: 'ACCOUNT_LINK_NOT_FOUND' };
}

/** A provider has one for each purpose. Sandbox takes any, and should not depend on the order of rows (D102). */
function primaryOf(links: readonly LinkFacts[]): LinkFacts | undefined {
  const primaries = links.filter(({ isPrimary }) => isPrimary);
  const of = (purpose: LinkPurpose | null) => primaries.find((link) => link.purpose === purpose);
  return of('test') ?? of('real') ?? of(null);
}

function onlyOf(links: readonly LinkFacts[]): LinkFacts | undefined {
  return links.length === 1 ? links[0] : undefined;
}
