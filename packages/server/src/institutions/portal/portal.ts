import type {
  Call,
  FormFields,
  JsonObject,
  PortalClient,
  PortalRequest,
  PortalResponse,
} from '../connector.ts';
import { InstitutionError } from '../institution-error.ts';
import type { PortalPhase } from '../meaning/portal-meaning.ts';
import { sparing } from '../sparing.ts';
import { type PortalForm, readForm } from './form.ts';
import { noticeOn } from './notice.ts';
import {
  addressOf,
  brokenPage,
  elements,
  isWithin,
  type PortalPage,
  parsePage,
  textOf,
} from './page.ts';
import { messageError, type PortalMeanings, type PortalMessage } from './portal-message.ts';
import { leavingAlone, mayRepeat, throttlingOf } from './throttling.ts';

/** How one institution's pages report problems, and what they mean. */
export interface PortalFace extends PortalMeanings {
  /** The message that the page shows instead of data; null when there is none. */
  message(page: PortalPage): PortalMessage | null;
  /**
   * The form that continues past an interstitial: "change your password", "already
   * logged in, continue?". Null for any other page. Not used after the point of no return.
   */
  detour?(page: PortalPage): PortalForm | null;
  /**
   * The selector of the login form. Where a page has it inside a session that `loggedIn` continues, the portal has
   * ended the session without a word.
   */
  readonly loginForm?: string;
}

/** An institution's web site, walked page by page like a person. */
export interface Portal {
  get(path: string, query?: FormFields): Promise<PortalPage>;
  /** Submits a page's form unchanged except for `fields`. */
  submit(form: PortalForm, fields: FormFields): Promise<PortalPage>;
  /**
   * Submits a form with a credential. `read` extracts from the answer what is only there when the
   * credential was accepted; until then, nothing sends the credential again.
   */
  logIn<Result>(
    form: PortalForm,
    fields: FormFields,
    read: (page: PortalPage) => Result,
  ): Promise<Result>;
  /** Passes the point of no return and submits the form that takes effect. */
  commit(form: PortalForm, fields: FormFields): Promise<PortalPage>;
  /** Downloads a file; a page in its place is the portal's message. */
  download(path: string, query?: FormFields): Promise<PortalResponse>;
  /**
   * A request answered with JSON, XML or a file; a page in its place is the portal's message. JSON and XML also come
   * with a status below 500 that tells of an error, because their own words say more than the status.
   * In the phase `login` it belongs inside `call.presentCredential`; `committed` passes the point of
   * no return first.
   */
  ask(request: PortalRequest, phase?: PortalPhase): Promise<PortalResponse>;
  /** The portal's response, whatever it is, without interpretation. */
  raw(request: PortalRequest): Promise<PortalResponse>;
  /**
   * The same portal for work that the result can do without. It fails with PROVIDER_UPSTREAM_ERROR before a request or
   * a wait that could leave the job less than `ms`.
   */
  sparing(ms: number): Portal;
  cookies(): JsonObject;
}

/** Bounds in seconds on how long a portal may make us wait before the next request. */
const MIN_WAIT = 1;
const MAX_WAIT = 10;
/** A page that refreshes itself later than that logs out those who leave it open, and is complete as it is. */
const LONGEST_REFRESH = 30;
/** Maximum number of interstitials in a row. */
const MAX_DETOURS = 3;
const NO_CONTENT = 204;
const TOO_MANY_REQUESTS = 429;

type VisitCall = Pick<Call, 'clock' | 'presentCredential' | 'pointOfNoReturn' | 'timeLeft'>;

/** Visits an institution's pages; cookies carry over from an earlier visit. */
export function openPortal(
  call: VisitCall & Pick<Call, 'openPortal'>,
  face: PortalFace,
  cookies?: JsonObject,
): Portal {
  return portalOf(call, face, call.openPortal(cookies));
}

function portalOf(call: VisitCall, face: PortalFace, client: PortalClient): Portal {
  const visit = createVisit(face, client, call);

  async function visitPage(request: PortalRequest, phase: PortalPhase): Promise<PortalPage> {
    const answer = await visit(request, phase);
    if (!('$' in answer)) throw unexpected(answer);
    return answer;
  }

  async function ask(
    request: PortalRequest,
    phase: PortalPhase = 'inquiry',
  ): Promise<PortalResponse> {
    if (phase === 'committed') await call.pointOfNoReturn();
    const answer = await visit(request, phase);
    if ('$' in answer) throw brokenPage(answer.status);
    return answer;
  }

  return {
    get: (path, query) => visitPage({ path, ...(query === undefined ? {} : { query }) }, 'inquiry'),
    submit: (form, fields) => visitPage(formRequest(form, fields), 'inquiry'),
    logIn: (form, fields, read) =>
      call.presentCredential(async () => read(await visitPage(formRequest(form, fields), 'login'))),
    async commit(form, fields) {
      await call.pointOfNoReturn();
      return visitPage(formRequest(form, fields), 'committed');
    },
    async download(path, query) {
      const file = await ask({ path, ...(query === undefined ? {} : { query }) });
      if (file.status >= 400 || file.status === NO_CONTENT) throw unexpected(file);
      return file;
    },
    ask,
    raw: (request) => client.request(request),
    sparing(ms) {
      const spared = sparing(call, client, ms);
      return portalOf({ ...call, clock: spared.clock }, face, spared.client);
    },
    cookies: () => client.cookies(),
  };
}

/** Repeats the request until there is more than "please wait", as long as the call has time (D142, 0504). */
function createVisit(
  face: PortalFace,
  client: Pick<PortalClient, 'request'>,
  { clock, timeLeft }: Pick<Call, 'clock' | 'timeLeft'>,
) {
  return async (
    request: PortalRequest,
    phase: PortalPhase,
  ): Promise<PortalResponse | PortalPage> => {
    let repeats = 0;
    let detours = 0;
    for (let order = request; ; ) {
      const response = await client.request(order);
      try {
        const answer = read(face, response, phase);
        if (!('$' in answer)) return answer;
        const wait = waitOf(answer);
        const detour = phase === 'committed' ? null : (face.detour?.(answer) ?? null);
        if (wait === null && (detour === null || detours >= MAX_DETOURS)) return answer;
        if (wait !== null) await clock.pause(wait.seconds * 1_000);
        else detours += 1;
        order = wait === null && detour !== null ? formRequest(detour) : { path: wait?.path ?? '' };
      } catch (error) {
        const throttling = throttlingOf(error, response, await clock.now());
        if (throttling === null) throw error;
        if (phase !== 'inquiry' || !mayRepeat(throttling, repeats, timeLeft())) {
          throw leavingAlone(error, throttling);
        }
        repeats += 1;
        await clock.pause(throttling.ms);
      }
    }
  };
}

function read(
  face: PortalFace,
  response: PortalResponse,
  phase: PortalPhase,
): PortalResponse | PortalPage {
  const { status } = response;
  if (status < 400 && (status === NO_CONTENT || !isHtml(response))) return response;
  if (isStated(response)) return response;
  const page = readPage(face, response);
  return waitOf(page) === null ? accepted(face, page, phase) : page;
}

/** What submits a form; for one that is not answered with a page. */
export function formRequest(form: PortalForm, fields: FormFields = {}): PortalRequest {
  const { action, method, charset } = form;
  const values = { ...form.fields, ...fields };
  if (method === 'GET') return { path: action, query: values, charset };
  if (!form.multipart) return { method, path: action, form: values, charset };
  const multipart = Object.entries(values).flatMap(([name, value]) =>
    [value].flat().map((each) => ({ name, value: each })),
  );
  return { method, path: action, multipart, charset };
}

/** The page, unless it only contains an error message. */
function accepted(face: PortalFace, page: PortalPage, phase: PortalPhase): PortalPage {
  const message = face.message(page) ?? (phase === 'committed' ? null : noticeOn(page));
  if (message !== null) throw messageError(face, message, page.status, phase);
  if (page.status >= 400) throw upstreamError(page.status);
  return page;
}

/** A page, unless a machine in front of the portal generated it. */
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

function unexpected({ status }: PortalResponse): InstitutionError {
  return status >= 400 ? upstreamError(status) : brokenPage(status);
}

function upstreamError(upstreamStatus: number): InstitutionError {
  return new InstitutionError('PROVIDER_UPSTREAM_ERROR', {
    upstreamStatus,
    transient: upstreamStatus >= 500,
  });
}

function isHtml({ contentType }: PortalResponse): boolean {
  return contentType === null || /html/i.test(contentType);
}

/** JSON or XML that tells of an error. "Too many requests" is waited out instead. */
function isStated(response: PortalResponse): boolean {
  const { status, contentType } = response;
  const isError = status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS;
  return isError && !isHtml(response) && /\bjson|[/+]xml\b/i.test(contentType ?? '');
}

/** The target and delay of a page that soon refreshes itself, also in a browser that runs scripts. */
function waitOf(page: PortalPage): { readonly seconds: number; readonly path: string } | null {
  const refreshes = elements(page, 'meta[http-equiv="refresh" i]');
  const content = refreshes
    .find((each) => !isWithin(each, 'noscript', 'template'))
    ?.attr('content');
  const match = /^\s*(\d+)\s*;\s*url\s*=\s*["']?([^\s"']+)/i.exec(content ?? '');
  if (match === null || Number(match[1]) > LONGEST_REFRESH) return null;
  const seconds = Math.min(MAX_WAIT, Math.max(MIN_WAIT, Number(match[1])));
  return { seconds, path: addressOf(page, match[2] ?? '') };
}

/** A form that continues, if the page has one. */
export function formIn(page: PortalPage, selector: string): PortalForm | null {
  return page.$(selector).length === 0 ? null : readForm(page, selector);
}

/** The first line of a page's message element; null when there is none. */
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
