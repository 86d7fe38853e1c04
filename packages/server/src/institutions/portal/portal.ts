import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, JsonObject, PortalRequest, PortalResponse } from '../connector.ts';
import { InstitutionError } from '../institution-error.ts';
import {
  addressOf,
  brokenPage,
  type PortalForm,
  type PortalPage,
  parsePage,
  textOf,
} from './page.ts';
import { messageError, type PortalMessage } from './portal-message.ts';

/** How one institution's pages say that something went wrong. */
export interface PortalFace {
  readonly provider: string;
  /** The message that the page shows instead of data; null when it shows none. */
  message(page: PortalPage): PortalMessage | null;
}

/** An institution's web site, page by page, as a person would walk it. */
export interface Portal {
  get(path: string, query?: Readonly<Record<string, string>>): Promise<PortalPage>;
  /** Sends a form of a page, as it is but for `fields`. */
  submit(form: PortalForm, fields: Readonly<Record<string, string>>): Promise<PortalPage>;
  /** A file; a page in its place is the portal's message. */
  download(path: string, query?: Readonly<Record<string, string>>): Promise<PortalResponse>;
  /** A request that is answered with something else than a page. */
  raw(request: PortalRequest): Promise<PortalResponse>;
  cookies(): JsonObject;
}

/** Bounds on what a portal may ask us to wait before it is asked again, in seconds. */
const SHORTEST_WAIT = 1;
const MAX_WAIT = 10;

/** Walks an institution's pages; cookies go on with an earlier visit. */
export function openPortal(
  call: Pick<Call, 'openPortal' | 'signal'>,
  face: PortalFace,
  cookies?: JsonObject,
): Portal {
  const client = call.openPortal(cookies);

  /** Asks until there is more to see than "please wait": as long as the call has time (D142, 0504). */
  async function visit(request: PortalRequest): Promise<PortalResponse | PortalPage> {
    for (let order = request; ; ) {
      const response = await client.request(order);
      if (response.status < 400 && !isHtml(response)) return response;
      const page = readPage(face, response);
      const wait = waitOf(page);
      if (wait === null) return accepted(face, page);
      await pause(wait.seconds * 1_000, call.signal);
      order = { path: wait.path };
    }
  }

  async function visitPage(request: PortalRequest): Promise<PortalPage> {
    const answer = await visit(request);
    if (!('$' in answer)) throw brokenPage(answer.status);
    return answer;
  }

  return {
    get: (path, query) => visitPage({ path, ...(query === undefined ? {} : { query }) }),
    submit({ action, method, fields: own, charset }, fields) {
      const values = { ...own, ...fields };
      return method === 'GET'
        ? visitPage({ path: action, query: values, charset })
        : visitPage({ method, path: action, form: values, charset });
    },
    async download(path, query) {
      const answer = await visit({ path, ...(query === undefined ? {} : { query }) });
      if ('$' in answer) throw brokenPage(answer.status);
      return answer;
    },
    raw: (request) => client.request(request),
    cookies: () => client.cookies(),
  };
}

/** The page, unless it only says what is wrong. */
function accepted(face: PortalFace, page: PortalPage): PortalPage {
  const message = face.message(page);
  if (message !== null) throw messageError(face.provider, message, page.status);
  if (page.status >= 400) throw upstreamError(page.status);
  return page;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {
    throw signal.reason;
  });
}

/** A page, unless the machine in front of the portal answers for it. */
function readPage(face: PortalFace, response: PortalResponse): PortalPage {
  const { status } = response;
  if (status < 500) return parsePage(response);
  const text = isHtml(response) ? response.text().slice(0, 4_000) : '';
  if (status === 503 && /점검/.test(text)) {
    throw new InstitutionError('PROVIDER_MAINTENANCE', {
      upstreamStatus: status,
      providerErrorRef: `${face.provider}:MAINTENANCE`,
    });
  }
  throw upstreamError(status);
}

function upstreamError(upstreamStatus: number): InstitutionError {
  return new InstitutionError('PROVIDER_UPSTREAM_ERROR', {
    upstreamStatus,
    transient: upstreamStatus >= 500 || upstreamStatus === 429,
  });
}

function isHtml({ contentType }: PortalResponse): boolean {
  return contentType === null || /html/i.test(contentType);
}

/** Where a page that refreshes itself leads, and when. */
function waitOf(page: PortalPage): { readonly seconds: number; readonly path: string } | null {
  const content = page.$('head meta[http-equiv="refresh" i]').attr('content');
  const match = /^\s*(\d+)\s*;\s*url\s*=\s*(\S+)/i.exec(content ?? '');
  if (match === null) return null;
  const seconds = Math.min(MAX_WAIT, Math.max(SHORTEST_WAIT, Number(match[1])));
  return { seconds, path: addressOf(page, match[2] ?? '') };
}

/** The first line of a page's message element; null when the element is not there. */
export function messageIn(
  page: PortalPage,
  textSelector: string,
  codeSelector: string,
): PortalMessage | null {
  const text = page.$(textSelector).first();
  if (text.length === 0) return null;
  const code = /[A-Z]\d{4}/.exec(textOf(page.$(codeSelector).first()))?.[0] ?? null;
  return { text: textOf(text), code };
}
