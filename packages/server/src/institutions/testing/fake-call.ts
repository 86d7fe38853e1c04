import { createHash, X509Certificate } from 'node:crypto';
import { type CatalogueAction, loadCatalogue } from '@changgu/contract/catalogue';
import type { DemoCertificate } from '@changgu/simulators';
import { openCertificate } from '../../certificates/open-certificate.ts';
import { signChallenge } from '../../certificates/sign-challenge.ts';
import { maskAccountNumber } from '../../rules/identity/account-number.ts';
import { shapeCheck } from '../../validation/shape-check.ts';
import type {
  Call,
  CallAccount,
  CallLink,
  Credential,
  InstitutionSite,
  JsonObject,
  NewFile,
  PortalClient,
  PortalRequest,
  PortalSession,
} from '../connector.ts';
import { guardCredential } from '../credential-guard.ts';
import { InstitutionError } from '../institution-error.ts';
import { createPortalHttp, type PortalHttp } from '../portal/client/http-client.ts';

export interface FakeCallOptions {
  readonly baseUrl: string;
  readonly action: string;
  readonly params?: JsonObject;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly link?: Partial<CallLink> | null;
  readonly account?: { readonly number: string; readonly password: string };
  readonly session?: PortalSession;
  readonly now?: () => number;
  /** Default: now. */
  readonly submittedAt?: number;
  readonly signal?: AbortSignal;
  readonly http?: PortalHttp;
  readonly timeLeft?: () => number;
  readonly site?: InstitutionSite;
}

/** A call with everything that a connector may use, and a record of what it did. */
export interface FakeCall extends Call {
  readonly files: NewFile[];
  readonly steps: string[];
  /** Total pauses in milliseconds; they are not actually waited for. */
  readonly pauses: number[];
  /** The number of requests when the point of no return was passed; null when it was not. */
  readonly passedAt: () => number | null;
  readonly requests: PortalRequest[];
  /** How often the engine was told that a credential was about to be sent. */
  readonly presented: () => number;
  readonly isUnclear: () => boolean;
}

const sharedHttp = createPortalHttp();

export async function fakeCall(options: FakeCallOptions): Promise<FakeCall> {
  const { baseUrl, params = {}, secrets = {}, now = Date.now, http = sharedHttp } = options;
  const signal = options.signal ?? AbortSignal.timeout(20_000);
  const files: NewFile[] = [];
  const steps: string[] = [];
  const pauses: number[] = [];
  const requests: PortalRequest[] = [];
  let passedAt: number | null = null;
  let presented = 0;
  const link = options.link === null ? null : linkOf(options.link ?? {});
  const account = options.account ? accountOf(options.account) : null;
  const guard = guardCredential({ link, account, secrets }, async () => {
    presented += 1;
  });
  return {
    action: await actionOf(options.action),
    envScope: 'real_test',
    params,
    submittedAt: options.submittedAt ?? now(),
    secrets,
    link: guard.watchLink(link),
    account,
    session: options.session ?? memorySession(),
    openPortal: (cookies) =>
      guard.watch(
        recorded(requests, http.open({ baseUrl, cookies, signal, site: options.site ?? {} })),
      ),
    presentCredential: guard.present,
    progress: (_step, _steps, message) => {
      steps.push(message);
    },
    async pointOfNoReturn() {
      if (passedAt !== null) throw new Error('the point of no return was passed twice');
      passedAt = requests.length;
    },
    signal,
    artifacts: {
      async add(file) {
        files.push(file);
      },
    },
    timeLeft: options.timeLeft ?? (() => 120_000),
    clock: {
      now: async () => now(),
      async pause(ms) {
        signal.throwIfAborted();
        pauses.push(ms);
      },
    },
    files,
    steps,
    pauses,
    requests,
    passedAt: () => passedAt,
    presented: () => presented,
    isUnclear: guard.isUnclear,
  };
}

function recorded(requests: PortalRequest[], client: PortalClient): PortalClient {
  return {
    cookies: client.cookies,
    request(request) {
      requests.push(request);
      return client.request(request);
    },
  };
}

export async function actionOf(id: string): Promise<CatalogueAction> {
  const action = (await loadCatalogue()).actions.get(id);
  if (action === undefined) throw new Error(`the catalog has no action ${id}`);
  return action;
}

/** Violations of the action's own result schema. */
export async function violationsOf(id: string, data: unknown): Promise<readonly unknown[]> {
  const { result } = await actionOf(id);
  return shapeCheck(result, ['data'])(data);
}

/** What a progress message may say (D08): Korean words of the connector alone, and the page number. */
export function isKoreanOneLiner(step: string): boolean {
  return /^[가-힣A-Z ]+ 있습니다( \(\d+쪽\))?$/.test(step);
}

export function memorySession(): PortalSession & { state: JsonObject | null } {
  return {
    state: null,
    async load() {
      return this.state;
    },
    async require() {
      if (this.state === null) throw new InstitutionError('AUTH_REQUIRED');
      return this.state;
    },
    async save(state) {
      this.state = structuredClone(state);
    },
    async clear() {
      this.state = null;
    },
  };
}

const credentials = new Map<DemoCertificate, Promise<Credential>>();

/** Opened once: some suites log in hundreds of times, and opening takes longer than a page. */
export function certificateCredential(demo: DemoCertificate): Promise<Credential> {
  const credential = credentials.get(demo) ?? openCredential(demo);
  credentials.set(demo, credential);
  return credential;
}

async function openCredential(demo: DemoCertificate): Promise<Credential> {
  const opened = await openCertificate(
    {
      certificate: demo.certificateDer,
      encryptedKey: demo.encryptedKeyDer,
      password: demo.password,
    },
    // Valid when recorded, even if it has expired since: judging that is the portal's task.
    new X509Certificate(demo.certificateDer).validFromDate.getTime() + 1,
  );
  return {
    type: 'certificate',
    certificateDer: opened.certificateDer,
    randomVid: opened.randomVid,
    sign: (challenge) => signChallenge(opened.privateKeyDer, challenge),
  };
}

export function passwordCredential(loginId: string, loginPassword: string): Credential {
  return { type: 'id_password', loginId, loginPassword };
}

function linkOf(link: Partial<CallLink>): CallLink {
  return {
    id: '00000000-0000-4000-8000-000000000001',
    credential: passwordCredential('nobody', 'none'),
    ownerKind: null,
    businessNumber: null,
    selectedAssets: null,
    ...link,
  };
}

function accountOf({ number, password }: { number: string; password: string }): CallAccount {
  return {
    id: createHash('sha256').update(number).digest('hex').slice(0, 36),
    accountNumber: number,
    accountPassword: password,
    maskedAccountNumber: maskAccountNumber(number),
  };
}
