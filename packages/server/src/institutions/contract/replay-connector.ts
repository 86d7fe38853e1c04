import { isDeepStrictEqual } from 'node:util';
import type {
  CallLink,
  Credential,
  JsonObject,
  PortalClient,
  PortalRequest,
} from '../connector.ts';
import { InstitutionError } from '../institution-error.ts';
import { smallestFile } from '../portal/bodies.ts';
import { type CallFrame, caseSession, frameOf, loadModule } from './case-call.ts';
import { failure, pathOf } from './record-connector.ts';
import type { Exchange, Trace, TraceCredential, TraceEnd } from './trace.ts';

/** The outcome of a connector against a recorded portal. */
export interface Replay {
  readonly end: TraceEnd;
  /** Whether it ended as it did when it was recorded. */
  readonly asRecorded: boolean;
  /** Requests for which the trace has no answer. */
  readonly unanswered: readonly string[];
  /** Recorded requests that the connector did not send. */
  readonly unused: readonly string[];
}

/** Runs a connector against a trace: without a portal and without credentials. */
export async function replayConnector(module: string, trace: Trace): Promise<Replay> {
  const loaded = await loadModule(module);
  const portal = recordedPortal(trace);
  const opened = { link: linkOf(trace), account: trace.account, secrets: trace.secrets };
  const session = caseSession();
  let end: TraceEnd = { kind: 'done', data: null };
  try {
    for (const id of trace.actions) {
      const { action, connector, site } = loaded.find(id);
      const frame: CallFrame = frameOf(opened, site, {
        session,
        signal: AbortSignal.timeout(60_000),
        clock: { now: async () => trace.now, pause: async () => {} },
        submittedAt: trace.now,
        timeLeft: () => 120_000,
        openPortal: () => portal.client,
        progress: () => {},
        addFile: async () => {},
        async pointOfNoReturn() {
          if (stoppedAtPoint(trace)) throw new InstitutionError('JOB_CANCELED');
        },
      });
      const params = id === trace.actions.at(-1) ? trace.params : {};
      end = { kind: 'done', data: await connector({ ...frame, action, params }) };
    }
  } catch (error) {
    end = failure(error);
  }
  const asRecorded = isDeepStrictEqual(JSON.parse(JSON.stringify(end)), trace.end);
  return { end, asRecorded, unanswered: portal.unanswered, unused: portal.unused() };
}

/** A trace that was recorded without effects has nothing that follows. */
function stoppedAtPoint({ end }: Trace): boolean {
  return end.kind === 'failed' && end.code === 'JOB_CANCELED';
}

function linkOf({ link }: Trace): CallLink | null {
  return link && { ...link, credential: credentialOf(link.credential) };
}

/** Useless as a credential: a signature of zeros, under no certificate. */
function credentialOf(credential: TraceCredential): Credential {
  switch (credential.type) {
    case 'id_password':
      return credential;
    case 'consent':
      return { ...credential, renew: async () => null };
    case 'certificate':
      return {
        type: 'certificate',
        certificateDer: Buffer.from(NO_CERTIFICATE, 'base64'),
        randomVid: null,
        sign: async () => new Uint8Array(256),
      };
  }
}

/** Answers each request with the next recorded one of the same method and path. */
function recordedPortal({ exchanges }: Trace) {
  const open = [...exchanges];
  const unanswered: string[] = [];
  const client: PortalClient = {
    cookies: (): JsonObject => ({ cookies: [] }),
    async request(order) {
      const at = open.findIndex((exchange) => fits(exchange, order));
      const [exchange] = at < 0 ? [] : open.splice(at, 1);
      if (exchange === undefined) {
        unanswered.push(`${order.method ?? 'GET'} ${pathOf(order.path)}`);
        throw new InstitutionError('PROVIDER_UPSTREAM_ERROR', { transient: false });
      }
      return responseOf(exchange, exchanges);
    },
  };
  return { client, unanswered, unused: () => open.map(({ method, path }) => `${method} ${path}`) };
}

function fits({ method, path }: Exchange, order: PortalRequest): boolean {
  return method === (order.method ?? 'GET') && path === pathOf(order.path);
}

/** Text is served as UTF-8, whatever charset the portal used; a file as the smallest that `wholeFile` takes. */
function responseOf(exchange: Exchange, all: readonly Exchange[]) {
  const { status, url, contentType, headers, text, file } = exchange;
  const bytes = file ? smallestFile(file) : Buffer.from(text ?? '');
  const type = contentType?.replace(/;.*$/s, '') ?? 'text/html';
  return {
    status,
    url,
    contentType: text === null ? contentType : `${type}; charset=utf-8`,
    header: (name: string) => headers[name.toLowerCase()] ?? null,
    origins: [...new Set(all.map((each) => new URL(each.url).origin))],
    bytes,
    text: () => text ?? '',
  };
}

/** Only has the form of a certificate. */
const NO_CERTIFICATE =
  'MIIB1zCCAX2gAwIBAgIUeh7BkjuGG19qbd7bmOocJb4PpMkwCgYIKoZIzj0EAwIwQDEgMB4GA1UEAwwXbm9ib2R5KCkwMDAwMDAwMDAwMDAwMDAxDzANBgNVBAoMBlJlcGxheTELMAkGA1UEBhMCa3IwIBcNMjYxMTIyMTYyNzM3WhgPMjEyNjEwMjkxNjI3MzdaMEAxIDAeBgNVBAMMF25vYm9keSgpMDAwMDAwMDAwMDAwMDAwMQ8wDQYDVQQKDAZSZXBsYXkxCzAJBgNVBAYTAmtyMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEAp0VwHR3NU2NZDgFF62dZpoulT4LbwYxc7ugJuA2TIEZh7KTlnBDCHNBp6Gfg7+uK4ueXDpoKwqkdlUXhW88mqNTMFEwHQYDVR0OBBYEFCdDtww0NQ9RNO/xLDjCHn5znbEUMB8GA1UdIwQYMBaAFCdDtww0NQ9RNO/xLDjCHn5znbEUMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIgcZ+7W7ySbMOpPU/EqvkftIAU3LgF2m9MBA8mp5RLIcICIQDZJGJbJmrbWsRpSs1FZSPYeRM+Fg8GbTGf24d9D7en1g==';
