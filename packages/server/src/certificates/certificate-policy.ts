/** The kind of holder that a joint certificate was issued to, by its policy. */
export type CertificateKind = 'person' | 'corporation' | 'unknown';

/** Certificate policies of the Korean certification authorities. */
const KINDS: ReadonlyMap<string, CertificateKind> = new Map([
  // yessign: person, person for banking, enterprise, enterprise for tax invoices
  ['1.2.410.200005.1.1.1', 'person'],
  ['1.2.410.200005.1.1.4', 'person'],
  ['1.2.410.200005.1.1.5', 'corporation'],
  ['1.2.410.200005.1.1.6.8', 'corporation'],
  // KICA
  ['1.2.410.200004.5.2.1.2', 'person'],
  ['1.2.410.200004.5.2.1.1', 'corporation'],
  // SignKorea
  ['1.2.410.200004.5.1.1.5', 'person'],
  ['1.2.410.200004.5.1.1.7', 'corporation'],
  // CrossCert
  ['1.2.410.200004.5.4.1.1', 'person'],
  ['1.2.410.200004.5.4.1.2', 'corporation'],
  // TradeSign
  ['1.2.410.200012.1.1.1', 'person'],
  ['1.2.410.200012.1.1.3', 'corporation'],
  // Inipass
  ['1.2.410.200004.5.5.1.1', 'person'],
  ['1.2.410.200004.5.5.1.2', 'corporation'],
]);

export function certificateKind(policyOid: string | null): CertificateKind {
  return (policyOid !== null && KINDS.get(policyOid)) || 'unknown';
}
