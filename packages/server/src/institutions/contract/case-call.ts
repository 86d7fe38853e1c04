import { loadCatalogue } from '@changgu/contract/catalogue';
import { openCertificate } from '../../certificates/open-certificate.ts';
import { signChallenge } from '../../certificates/sign-challenge.ts';
import { maskAccountNumber } from '../../rules/identity/account-number.ts';
import type {
  Call,
  CallAccount,
  CallLink,
  Connector,
  Credential,
  InstitutionSite,
  JsonObject,
  NewFile,
  PortalClient,
  PortalSession,
} from '../connector.ts';
import { guardCredential } from '../credential-guard.ts';
import { InstitutionError } from '../institution-error.ts';
import { loadOwnInstitutions, withOwnInstitutions } from '../own-institutions.ts';
import type { CaseCredential, PlainCase } from './connector-case.ts';

const ID = '00000000-0000-4000-8000-000000000001';

/** The environment of a connector under test. */
export interface Surroundings {
  openPortal(site: InstitutionSite, cookies: JsonObject | undefined): PortalClient;
  readonly session: PortalSession;
  readonly signal: AbortSignal;
  readonly clock: Call['clock'];
  readonly submittedAt: number;
  timeLeft(): number;
  progress(message: string): void;
  addFile(file: NewFile): Promise<void>;
  pointOfNoReturn(): Promise<void>;
  /** Wraps every presentation of a credential. */
  presenting?<Result>(send: () => Promise<Result>): Promise<Result>;
  /** Hears of a credential that is sent without one, right before its request. */
  unannounced?(): void;
}

/** Everything of a call except its task. */
export type CallFrame = Omit<Call, 'action' | 'params'>;

/** A module's actions, each with its implementation and site. */
export async function loadModule(path: string) {
  const own = await loadOwnInstitutions(path);
  const { actions } = withOwnInstitutions(await loadCatalogue(), own);
  return {
    find(id: string) {
      const action = actions.get(id);
      const module = own.find(({ connectors }) => connectors[id] !== undefined);
      const connector: Connector | undefined = module?.connectors[id];
      if (action === undefined || connector === undefined) {
        throw new Error(`${path} does not perform ${id}`);
      }
      return { action, connector, site: module?.site ?? {} };
    },
  };
}

export async function linkOf({ link }: PlainCase): Promise<CallLink | null> {
  if (link === undefined) return null;
  const facts = { id: ID, ownerKind: null, businessNumber: null, selectedAssets: null };
  return { ...facts, ...link, credential: await credentialOf(link.credential) };
}

export function accountOf({ account }: PlainCase): CallAccount | null {
  if (account === undefined) return null;
  return { id: ID, ...account, maskedAccountNumber: maskAccountNumber(account.accountNumber) };
}

/** A call as the engine would create it; credential errors occur here as they would there. */
export function frameOf(
  opened: Pick<Call, 'link' | 'account' | 'secrets'>,
  site: InstitutionSite,
  around: Surroundings,
): CallFrame {
  const guard = guardCredential(opened, async () => {}, around.unannounced);
  const presenting = around.presenting ?? ((send) => send());
  return {
    envScope: 'real_test',
    secrets: opened.secrets,
    link: guard.watchLink(opened.link),
    account: opened.account,
    session: around.session,
    openPortal: (cookies) => guard.watch(around.openPortal(site, cookies)),
    presentCredential: (send) => guard.present(() => presenting(send)),
    progress: (_step, _steps, message) => around.progress(message),
    pointOfNoReturn: around.pointOfNoReturn,
    timeLeft: around.timeLeft,
    signal: around.signal,
    artifacts: { add: around.addFile },
    clock: around.clock,
    submittedAt: around.submittedAt,
  };
}

/** A session that lives as long as the case. */
export function caseSession(): PortalSession {
  let session: JsonObject | null = null;
  return {
    load: async () => session,
    async require() {
      if (session === null) throw new InstitutionError('AUTH_REQUIRED');
      return session;
    },
    async save(state) {
      session = structuredClone(state);
    },
    async clear() {
      session = null;
    },
  };
}

async function credentialOf(credential: CaseCredential): Promise<Credential> {
  if (credential.type === 'id_password') return credential;
  if (credential.type === 'consent') return { ...credential, renew: async () => null };
  const opened = await openCertificate(
    {
      certificate: Buffer.from(credential.certificate, 'base64'),
      encryptedKey: Buffer.from(credential.encryptedKey, 'base64'),
      password: credential.password,
    },
    Date.now(),
  );
  return {
    type: 'certificate',
    certificateDer: opened.certificateDer,
    randomVid: opened.randomVid,
    sign: (challenge) => signChallenge(opened.privateKeyDer, challenge),
  };
}
