import { X509Certificate } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  CallLink,
  FormFields,
  JsonObject,
  PortalClient,
  PortalRequest,
  PortalResponse,
} from '../connector.ts';
import { InstitutionError } from '../institution-error.ts';
import { formatOf } from '../portal/bodies.ts';
import { isText } from '../portal/charset.ts';
import { createPortalHttp } from '../portal/client/http-client.ts';
import { accountOf, caseSession, frameOf, linkOf, loadModule } from './case-call.ts';
import { secretsOf } from './case-secrets.ts';
import type { PlainCase } from './connector-case.ts';
import { createRedactor, type Redactor } from './redaction.ts';
import {
  type Exchange,
  KEPT_HEADERS,
  type Trace,
  type TraceCredential,
  type TraceEnd,
} from './trace.ts';
import { watchPresenting } from './watch-presenting.ts';

export interface RecordOptions {
  /** Further texts that must not be in the trace, such as names and addresses. */
  readonly hide?: readonly string[];
  /** Lets an irreversible action take effect. By default it is stopped at its point of no return. */
  readonly allowEffects?: boolean;
}

const RUN_MS = 180_000;
/** Shorter cookie values are settings. */
const SHORTEST_COOKIE = 8;

/**
 * Runs an action and those before it at the portal, and returns a trace without passwords, tokens,
 * account numbers and the like.
 */
export async function recordConnector(
  connectorCase: PlainCase,
  { hide = [], allowEffects = false }: RecordOptions = {},
): Promise<Trace> {
  const redactor = createRedactor();
  const link = await linkOf(connectorCase);
  const account = accountOf(connectorCase);
  const hidden = [...secretsOf(connectorCase), ...personal(link), ...hide];
  for (const value of hidden) redactor.hide(value);
  const { params = {}, secrets = {}, before = [], action } = connectorCase;
  const recorder = createRecorder(redactor);
  const now = Date.now();
  const end = await perform(connectorCase, { link, account, secrets }, recorder, allowEffects);
  // First, because pages show what must be hidden everywhere.
  const exchanges = recorder.exchanges();
  return {
    version: 1,
    actions: [...before, action],
    origins: recorder.origins(),
    now,
    ...redactor.value({ params, secrets, account, end }),
    link: link && {
      ...redactor.value({ ...link, credential: null }),
      credential: standIn(link, redactor),
    },
    exchanges,
  };
}

function personal(link: CallLink | null): string[] {
  const credential = link?.credential;
  const number = link?.businessNumber?.replaceAll('-', '') ?? '';
  if (credential?.type === 'id_password') return [number, credential.loginId];
  if (credential?.type !== 'certificate') return [number];
  const { subject, serialNumber } = new X509Certificate(credential.certificateDer);
  const names = subject.split('\n').flatMap((line) => /^CN=(.+)$/.exec(line)?.[1] ?? []);
  return [
    number,
    serialNumber.toLowerCase(),
    serialNumber,
    BigInt(`0x${serialNumber}`).toString(),
    Buffer.from(credential.certificateDer).toString('base64'),
    ...names.flatMap((name) => [name, name.replace(/\(.*$/, '')]),
  ];
}

function standIn({ credential }: CallLink, redactor: Redactor): TraceCredential {
  switch (credential.type) {
    case 'certificate':
      return { type: 'certificate' };
    case 'id_password': {
      const { type, loginId, loginPassword } = credential;
      const [id, password] = [loginId, loginPassword].map(redactor.standIn);
      return { type, loginId: id ?? '', loginPassword: password ?? '' };
    }
    case 'consent':
      return { type: 'consent', authorization: redactor.value(credential.authorization) };
  }
}

type Recorder = ReturnType<typeof createRecorder>;

async function perform(
  connectorCase: PlainCase,
  opened: Pick<Parameters<typeof frameOf>[0], 'link' | 'account' | 'secrets'>,
  recorder: Recorder,
  allowEffects: boolean,
): Promise<TraceEnd> {
  const http = createPortalHttp();
  const session = caseSession();
  const signal = AbortSignal.timeout(RUN_MS);
  const module = await loadModule(connectorCase.module);
  let data: JsonObject | null = null;
  try {
    for (const id of [...(connectorCase.before ?? []), connectorCase.action]) {
      const { action, connector, site } = module.find(id);
      const frame = frameOf(opened, site, {
        session,
        signal,
        clock: { now: async () => Date.now(), pause: (ms) => sleep(ms, undefined, { signal }) },
        submittedAt: Date.now(),
        timeLeft: () => RUN_MS,
        openPortal: (itsSite, cookies) =>
          recorder.watch(
            http.open({ baseUrl: connectorCase.baseUrl, signal, site: itsSite, cookies }),
          ),
        progress: () => {},
        addFile: async () => {},
        async pointOfNoReturn() {
          if (!allowEffects) throw new InstitutionError('JOB_CANCELED');
        },
        presenting: recorder.presenting,
        unannounced: recorder.unannounced,
      });
      const params = id === connectorCase.action ? (connectorCase.params ?? {}) : {};
      data = await connector({ ...frame, action, params });
    }
    return { kind: 'done', data };
  } catch (error) {
    return failure(error);
  } finally {
    await http.close();
  }
}

export function failure(error: unknown): TraceEnd {
  if (error instanceof InstitutionError) {
    return { kind: 'failed', code: error.code, message: error.details.message ?? '' };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'failed', code: 'INTERNAL_ERROR', message };
}

interface Seen {
  readonly order: PortalRequest;
  readonly answer: PortalResponse;
  readonly secret: boolean;
}

function createRecorder(redactor: Redactor) {
  const seen: Seen[] = [];
  const origins = new Set<string>();
  const credential = watchPresenting();
  return {
    origins: () => [...origins],
    presenting: credential.presenting,
    unannounced: credential.unannounced,
    watch: (client: PortalClient): PortalClient => ({
      cookies: client.cookies,
      async request(order) {
        const { carries: secret } = credential.ofRequest();
        const answer = await client.request(order);
        for (const origin of answer.origins ?? []) origins.add(origin);
        hideCookies(client.cookies(), redactor);
        seen.push({ order, answer, secret });
        return answer;
      },
    }),
    /** At the end, when everything that must be hidden is known. */
    exchanges: (): Exchange[] => {
      const pages = seen.map(({ answer }) => textOf(answer) ?? '');
      for (const text of [...pages, ...seen.flatMap(addressesOf)]) redactor.text(text);
      return seen.map(({ order, answer, secret }, index) =>
        exchangeOf(redactor, order, answer, secret ? pages.slice(0, index).join('\n') : null),
      );
    },
  };
}

/** The address and the fields of a request, as they would be written. */
function addressesOf({ order, answer }: Seen): string[] {
  const fields = Object.entries(fieldsOf(order, null)).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}=${value}`),
  );
  return [answer.url, ...fields];
}

function hideCookies(jar: JsonObject, redactor: Redactor): void {
  for (const cookie of Array.isArray(jar.cookies) ? jar.cookies : []) {
    const value = String(cookie?.value ?? '');
    if (value.length >= SHORTEST_COOKIE) redactor.hide(value);
  }
}

/** `known`: pages shown earlier; null where the request carries no credential. */
function exchangeOf(
  redactor: Redactor,
  order: PortalRequest,
  answer: PortalResponse,
  known: string | null,
): Exchange {
  const text = textOf(answer);
  const headers = KEPT_HEADERS.flatMap((name) => {
    const value = answer.header(name);
    return value === null ? [] : [[name, redactor.text(value)] as const];
  });
  return {
    method: order.method ?? 'GET',
    path: redactor.text(pathOf(order.path)),
    fields: redactor.value(fieldsOf(order, known)),
    status: answer.status,
    url: redactor.text(answer.url),
    contentType: answer.contentType,
    headers: Object.fromEntries(headers),
    text: text === null ? null : redactor.text(text),
    file: text === null ? formatOf(answer) : null,
  };
}

/** The path of an address; a path is returned unchanged. */
export function pathOf(path: string): string {
  return URL.canParse(path) ? new URL(path).pathname : (path.split('?')[0] ?? path);
}

/** For a request with a credential, only values that a page had provided: the rest may be the credential, encrypted. */
function fieldsOf(
  { query = {}, form = {}, multipart = [] }: PortalRequest,
  known: string | null,
): FormFields {
  const parts = multipart.map(({ name, value }) => [
    name,
    typeof value === 'string' ? value : '(file)',
  ]);
  const fields: FormFields = { ...query, ...form, ...Object.fromEntries(parts) };
  if (known === null) return fields;
  const shown = (value: string) => (value === '' || known.includes(value) ? value : '(left out)');
  return Object.fromEntries(
    Object.entries(fields).map(([name, values]) => [name, [values].flat().map(shown)]),
  );
}

function textOf(answer: PortalResponse): string | null {
  return isText(answer.contentType) ? answer.text() : null;
}
