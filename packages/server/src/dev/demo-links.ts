import type { DemoAccount, DemoCertificate, Member } from '@changgu/simulators';
import type { CoreDependencies } from '../core.ts';
import { registerBankAccount } from '../credentials/bank-accounts.ts';
import { presentCertificate } from '../credentials/certificate-credential.ts';
import { createIdentities } from '../credentials/identity.ts';
import { type RegistrationDependencies, registerLink } from '../credentials/register-link.ts';
import type { Actor } from '../rules/principals/actor.ts';
import type { BankLinkName, Demo, LinkName } from './demo-file.ts';

type DemoCredentials = Pick<Demo, 'account_links' | 'bank_accounts'>;

const CERTIFICATE_LINKS = [
  'tax_portal',
  'employment',
  'si_edi',
  'bank_a',
  'bank_b',
  'bank_c',
  'bank_d',
] as const satisfies readonly LinkName[];

/** Links the demo organization to every simulated institution, with its bank accounts. */
export async function createDemoLinks(
  { store, vault, clock }: CoreDependencies,
  organizationId: number,
  actor: Actor,
): Promise<DemoCredentials> {
  const { demoAccounts, demoCertificates, demoMembers } = await import('@changgu/simulators');
  const dependencies = { store, vault, identities: createIdentities(store, vault) };
  const owner = { organizationId, actor };
  const { corporation, soleProprietor } = demoMembers;
  const accountLinks: Partial<Record<LinkName, string>> = {
    ...(await linkCertificate(
      dependencies,
      owner,
      demoCertificates.corporation,
      corporation,
      clock.realNow(),
    )),
    bank_b_second: await linkLogin(dependencies, owner, soleProprietor),
  };
  const bankAccounts: Partial<Record<BankLinkName, string[]>> = {};
  for (const [name, accounts] of Object.entries(demoAccounts)) {
    // The simulators name their demo accounts by the links in demo.json.
    const link = name as BankLinkName;
    const accountLinkId = accountLinks[link];
    if (accountLinkId === undefined) throw new Error(`there is no demo link ${name}`);
    bankAccounts[link] = await addAccounts(dependencies, { ...owner, accountLinkId }, accounts);
  }
  return { account_links: accountLinks, bank_accounts: bankAccounts };
}

interface Owner {
  readonly organizationId: number;
  readonly actor: Actor;
}

async function linkCertificate(
  dependencies: RegistrationDependencies,
  owner: Owner,
  demo: DemoCertificate,
  member: Member,
  now: number,
): Promise<Partial<Record<LinkName, string>>> {
  const presented = await presentCertificate(
    {
      certificate: demo.certificateDer,
      encryptedKey: demo.encryptedKeyDer,
      password: demo.password,
    },
    { randomVid: demo.randomVid, policyOid: demo.policyOid },
    now,
  );
  const { link, fanOut } = await registerLink(dependencies, {
    ...owner,
    providers: CERTIFICATE_LINKS,
    presented,
    labels: labelsOf(member),
    purposeAt: () => 'test',
    isPrimary: true,
    confirm: false,
  });
  return Object.fromEntries([link, ...fanOut].map(({ provider, id }) => [provider, id]));
}

/** A second link at bank B with another owner: a second lane, and a choice for the caller to make. */
async function linkLogin(
  dependencies: RegistrationDependencies,
  owner: Owner,
  member: Member,
): Promise<string> {
  const { loginId, loginPassword } = member;
  const { link } = await registerLink(dependencies, {
    ...owner,
    providers: ['bank_b'],
    presented: {
      identity: { kind: 'login', parts: [loginId] },
      credential: { type: 'id_password', loginId, loginPassword },
      certificate: null,
    },
    labels: labelsOf(member),
    purposeAt: () => 'test',
    isPrimary: false,
    confirm: false,
  });
  return link.id;
}

function labelsOf({ name, businessNumber }: Member) {
  return {
    displayLabel: name,
    businessName: name,
    ...(businessNumber === null ? {} : { bizNumber: businessNumber }),
  };
}

/** In the order of the demo accounts, so that demo.json lists the first of them first. */
async function addAccounts(
  dependencies: Parameters<typeof registerBankAccount>[0],
  owner: Owner & { readonly accountLinkId: string },
  accounts: readonly DemoAccount[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const { accountNo: accountNumber, accountPassword } of accounts) {
    const account = { accountNumber, accountPassword };
    ids.push((await registerBankAccount(dependencies, { ...owner, account })).id);
  }
  return ids;
}
