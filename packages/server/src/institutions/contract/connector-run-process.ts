import { setTimeout as sleep } from 'node:timers/promises';
import { loadCatalogue } from '@changgu/contract/catalogue';
import { openCertificate } from '../../certificates/open-certificate.ts';
import { signChallenge } from '../../certificates/sign-challenge.ts';
import { maskAccountNumber } from '../../rules/identity/account-number.ts';
import { shapeCheck } from '../../validation/shape-check.ts';
import type { Call, Connector, Credential, JsonObject, PortalSession } from '../connector.ts';
import { guardCredential } from '../credential-guard.ts';
import { InstitutionError } from '../institution-error.ts';
import { loadOwnInstitutions, withOwnInstitutions } from '../own-institutions.ts';
import { createPortalHttp } from '../portal/http-client.ts';
import type { CaseCredential, ConnectorCase, FromRun, ToRun } from './connector-case.ts';

/** One run of a connector in its own process, so that the contract suite can kill it. */

/** As long as the suite waits for a run. */
const RUN_MS = 60_000;
const ID = '00000000-0000-4000-8000-000000000001';
const stop = new AbortController();
const http = createPortalHttp();
let session: JsonObject | null = null;
let answerPoint: ((passed: boolean) => void) | undefined;

// Kept connections would hold the process back.
process.on('disconnect', () => process.exit());
process.on('message', (message: ToRun) => {
  switch (message.kind) {
    case 'start':
      void run(message.connectorCase).finally(() => process.disconnect());
      break;
    case 'stop':
      stop.abort(new Error('stopped by the contract suite'));
      break;
    case 'pass':
    case 'refuse':
      answerPoint?.(message.kind === 'pass');
      break;
  }
});

function tell(message: FromRun): void {
  process.send?.(message);
}

async function run(connectorCase: Omit<ConnectorCase, 'effects'>): Promise<void> {
  try {
    const own = await loadOwnInstitutions(connectorCase.module);
    const { actions } = withOwnInstitutions(await loadCatalogue(), own);
    const connectors: Readonly<Record<string, Connector>> = Object.assign(
      {},
      ...own.map((module) => module.connectors),
    );
    let data: JsonObject | null = null;
    for (const id of [...(connectorCase.before ?? []), connectorCase.action]) {
      const [action, connector] = [actions.get(id), connectors[id]];
      if (action === undefined || connector === undefined) throw new Error(`no action ${id}`);
      const isPrelude = id !== connectorCase.action;
      data = await connector({
        ...(await callOf(connectorCase, isPrelude)),
        action,
        params: isPrelude ? {} : (connectorCase.params ?? {}),
      });
    }
    const action = actions.get(connectorCase.action);
    const violations = shapeCheck(action?.result ?? {}, ['data'])(data);
    tell({
      kind: 'done',
      data,
      violations: violations.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`),
      irreversible: action?.irreversible ?? false,
    });
  } catch (error) {
    const text = error instanceof Error ? `${error.message}\n${error.stack}` : String(error);
    const typed = error instanceof InstitutionError || stop.signal.aborted;
    tell({ kind: 'failed', error: text, typed });
  }
}

async function callOf(
  { baseUrl, secrets = {}, link, account }: Omit<ConnectorCase, 'effects'>,
  isPrelude: boolean,
): Promise<Omit<Call, 'action' | 'params'>> {
  const callLink = link
    ? {
        id: ID,
        ownerKind: null,
        businessNumber: null,
        selectedAssets: null,
        ...link,
        credential: await credentialOf(link.credential),
      }
    : null;
  const callAccount = account
    ? { id: ID, ...account, maskedAccountNumber: maskAccountNumber(account.accountNumber) }
    : null;
  const guard = guardCredential({ link: callLink, account: callAccount, secrets }, async () => {});
  return {
    envScope: 'real_test',
    secrets,
    link: guard.watchLink(callLink),
    account: callAccount,
    session: SESSION,
    openPortal(cookies) {
      const client = http.open({ baseUrl, cookies, signal: stop.signal });
      return guard.watch({
        cookies: client.cookies,
        async request(order) {
          if (isPrelude) return client.request(order);
          tell({ kind: 'request' });
          const response = await client.request(order);
          tell({ kind: 'answer' });
          return response;
        },
      });
    },
    presentCredential: guard.present,
    progress: (_step, _steps, message) => tell({ kind: 'progress', message }),
    async pointOfNoReturn() {
      tell({ kind: 'point' });
      const passed = await new Promise<boolean>((resolve) => {
        answerPoint = resolve;
      });
      if (!passed) throw new Error('the point of no return was refused');
    },
    signal: stop.signal,
    artifacts: { add: async () => {} },
    timeLeft: () => RUN_MS - performance.now(),
    clock: {
      now: async () => Date.now(),
      pause: (ms) => sleep(ms, undefined, { signal: stop.signal }),
    },
  };
}

const SESSION: PortalSession = {
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
