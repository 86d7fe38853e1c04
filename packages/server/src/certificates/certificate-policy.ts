import type { OwnerKind } from '../rules/links/owner-kind.ts';

/** Certificate policies of the Korean certification authorities. */
const OWNERS: ReadonlyMap<string, OwnerKind> = new Map([
  // yessign: person, person for banking, enterprise, enterprise for tax invoices
  ['1.2.410.200005.1.1.1', 'individual'],
  ['1.2.410.200005.1.1.4', 'individual'],
  ['1.2.410.200005.1.1.5', 'business'],
  ['1.2.410.200005.1.1.6.8', 'business'],
  // KICA
  ['1.2.410.200004.5.2.1.2', 'individual'],
  ['1.2.410.200004.5.2.1.1', 'business'],
  // SignKorea
  ['1.2.410.200004.5.1.1.5', 'individual'],
  ['1.2.410.200004.5.1.1.7', 'business'],
  // CrossCert
  ['1.2.410.200004.5.4.1.1', 'individual'],
  ['1.2.410.200004.5.4.1.2', 'business'],
  // TradeSign
  ['1.2.410.200012.1.1.1', 'individual'],
  ['1.2.410.200012.1.1.3', 'business'],
  // Inipass
  ['1.2.410.200004.5.5.1.1', 'individual'],
  ['1.2.410.200004.5.5.1.2', 'business'],
]);

/** Whose a joint certificate of this policy is; null when the policy does not tell. */
export function ownerOfPolicy(policyOid: string | null): OwnerKind | null {
  return (policyOid !== null && OWNERS.get(policyOid)) || null;
}
