import { X509Certificate } from 'node:crypto';
import type { MagicEnding } from '../portal/magic.ts';
import { MAGIC_ENDINGS } from '../portal/magic.ts';
import { CERTIFICATE_PASSWORD, POLICY_OID } from './certificate-requests.ts';
import { certificateFiles } from './generated/certificates.ts';
import { olderKeyDer, pkcs12Der } from './generated/containers.ts';
import type { Member, MemberKind } from './members.ts';
import { demoMembers, magicMember, memberOfLogin } from './members.ts';

/** A demo certificate with its encrypted PKCS#8 key. For development and tests only. */
export interface DemoCertificate {
  name: string;
  certificateDer: Buffer;
  encryptedKeyDer: Buffer;
  password: string;
  /** The 20 random bytes of the key (`random_enc`); null where the key file does not carry them. */
  randomVid: Buffer | null;
  policyOid: string;
  businessNumber: string | null;
  kind: MemberKind;
}

function certificate(name: string, member: Member): DemoCertificate {
  const files = certificateFiles[name];
  if (!files) throw new Error(`no demo certificate ${name}`);
  return {
    name,
    certificateDer: Buffer.from(files.certificateDer, 'base64'),
    encryptedKeyDer: Buffer.from(files.encryptedKeyDer, 'base64'),
    password: CERTIFICATE_PASSWORD,
    randomVid: files.randomVid === null ? null : Buffer.from(files.randomVid, 'base64'),
    policyOid: member.kind === 'individual' ? POLICY_OID.person : POLICY_OID.enterprise,
    businessNumber: member.businessNumber,
    kind: member.kind,
  };
}

function magicCertificate(ending: MagicEnding): DemoCertificate {
  return certificate(`magic_${ending}`, magicMember(ending));
}

/**
 * Keys are PBES2 SEED-CBC (corporation, magic; agency: made by openssl alone), the Korean PBES1
 * (soleProprietor) and PBES2 AES-256 (the others). `expired` was the corporation's, `unregistered`
 * is of the demo CA but of no member, `untrusted` is of another CA.
 */
export const demoCertificates = {
  corporation: certificate('corporation', demoMembers.corporation),
  soleProprietor: certificate('sole_proprietor', demoMembers.soleProprietor),
  individual: certificate('individual', demoMembers.individual),
  agency: certificate('agency', demoMembers.agency),
  expired: certificate('expired', demoMembers.corporation),
  unregistered: certificate('unregistered', memberOfLogin('unregistered')),
  untrusted: certificate('untrusted', demoMembers.corporation),
  magic: {
    '0200': magicCertificate('0200'),
    '0401': magicCertificate('0401'),
    '0402': magicCertificate('0402'),
    '0409': magicCertificate('0409'),
    '0423': magicCertificate('0423'),
    '0440': magicCertificate('0440'),
    '0503': magicCertificate('0503'),
    '0504': magicCertificate('0504'),
    '0520': magicCertificate('0520'),
    '0999': magicCertificate('0999'),
  } satisfies Record<MagicEnding, DemoCertificate>,
};

/**
 * The corporation's key in the other containers that customers have: the older Korean scheme (SEED-CBC alone), and
 * certificate and key in one PKCS#12 file, which carries no random number.
 */
export const demoContainers = {
  olderKeyDer: Buffer.from(olderKeyDer, 'base64'),
  pkcs12Der: Buffer.from(pkcs12Der, 'base64'),
};

export interface RegisteredCertificate {
  member: Member;
  randomVid: Buffer | null;
}

function registrations(): Map<string, RegisteredCertificate> {
  const entries: [DemoCertificate, Member][] = [
    [demoCertificates.corporation, demoMembers.corporation],
    [demoCertificates.soleProprietor, demoMembers.soleProprietor],
    [demoCertificates.individual, demoMembers.individual],
    [demoCertificates.agency, demoMembers.agency],
    [demoCertificates.expired, demoMembers.corporation],
  ];
  for (const ending of MAGIC_ENDINGS) {
    entries.push([demoCertificates.magic[ending], magicMember(ending)]);
  }
  return new Map(
    entries.map(([{ certificateDer, randomVid }, member]) => [
      new X509Certificate(certificateDer).fingerprint256,
      { member, randomVid },
    ]),
  );
}

let registered: Map<string, RegisteredCertificate> | null = null;

/** The member a certificate is registered to; null for one the portals do not know. */
export function memberOfCertificate(presented: X509Certificate): RegisteredCertificate | null {
  registered ??= registrations();
  return registered.get(presented.fingerprint256) ?? null;
}
