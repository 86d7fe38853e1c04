import { randomBytes } from 'node:crypto';
import type { Member } from '../demo/members.ts';
import type { MagicEnding } from './magic.ts';
import type { LoggedSession, RequestLog } from './request-log.ts';
import type { SessionReason } from './stop.ts';
import { Stop } from './stop.ts';

const IDLE_MS = 20 * 60_000;
const MANY = 5000;

export type SignInMethod = 'certificate' | 'password' | 'consent' | 'quick_inquiry';

/** Who is signed in: a member after a login, or an account after a quick inquiry. */
export interface SignIn {
  /** Login id, certificate name or account number: only one session may hold it. */
  login: string;
  owner: string;
  method: SignInMethod;
  magic: MagicEnding | null;
  /** Null after a quick inquiry. */
  member: Member | null;
  at: number;
  /** The page after the login was shown. */
  hasArrived: boolean;
  log: LoggedSession;
}

export type SignInKind = LoggedSession['kind'];

/** What a browser's cookie stands for. */
export interface PortalSession {
  id: string;
  csrf: string;
  /** Cookie of a session the portal no longer knows: it ended, or the portal was restarted. */
  stale: boolean;
  lastUsed: number;
  signIns: Partial<Record<SignInKind, SignIn>>;
}

const token = (): string => randomBytes(16).toString('hex');

/** Sessions of one portal, in memory, one per login: a second login ends the first. */
export class Sessions {
  readonly #now: () => number;
  readonly #log: RequestLog;
  readonly #byId = new Map<string, PortalSession>();
  readonly #holders = new Map<string, SignIn>();

  constructor(now: () => number, log: RequestLog) {
    this.#now = now;
    this.#log = log;
  }

  /** The session of a cookie, or a new one; one that idled out stays, but signed out. */
  resolve(id: string | undefined): PortalSession {
    const now = this.#now();
    const known = id === undefined ? undefined : this.#byId.get(id);
    if (known) {
      if (now - known.lastUsed > IDLE_MS) this.#endAll(known, 'idle');
      known.lastUsed = now;
      return known;
    }
    const session: PortalSession = {
      id: token(),
      csrf: token(),
      stale: id !== undefined,
      lastUsed: now,
      signIns: {},
    };
    this.#byId.set(session.id, session);
    if (this.#byId.size > MANY) this.#forgetIdle(now);
    return session;
  }

  signIn(
    session: PortalSession,
    kind: SignInKind,
    who: Omit<SignIn, 'log' | 'at' | 'hasArrived'>,
    position: number,
  ): SignIn {
    const at = this.#now();
    const key = `${kind}:${who.login}`;
    const previous = this.#holders.get(key);
    if (previous && previous !== session.signIns[kind]) previous.log.ended_by ??= 'second_login';
    const log: LoggedSession = {
      session: session.id.slice(0, 8),
      login: who.login,
      owner: who.owner,
      kind,
      opened_at: at,
      last_request_at: at,
      ended_by: null,
      first_position: position,
      last_position: position,
    };
    this.#log.openSession(log);
    const signIn = { ...who, at, hasArrived: false, log };
    session.signIns[kind] = signIn;
    session.stale = false;
    this.#holders.set(key, signIn);
    return signIn;
  }

  /** @throws Stop with the session page when no one is signed in (any more). */
  signedIn(session: PortalSession, kind: SignInKind): SignIn {
    const signIn = session.signIns[kind];
    if (signIn?.log.ended_by === null) return signIn;
    throw new Stop({ kind: 'session', reason: refusalReason(session, signIn) });
  }

  /** Marks the session as used by a request that began or ended at this position. */
  touch(session: PortalSession, position: number): void {
    for (const signIn of Object.values(session.signIns)) {
      signIn.log.last_position = position;
      signIn.log.last_request_at = this.#now();
    }
  }

  end(signIn: SignIn, by: NonNullable<LoggedSession['ended_by']>): void {
    signIn.log.ended_by ??= by;
  }

  logOut(session: PortalSession): void {
    this.#endAll(session, 'logout');
    session.signIns = {};
  }

  #forgetIdle(now: number): void {
    for (const [id, { lastUsed }] of this.#byId) {
      if (now - lastUsed > IDLE_MS) this.#byId.delete(id);
    }
    for (const [key, { log }] of this.#holders) {
      if (log.ended_by !== null || now - log.last_request_at > IDLE_MS) this.#holders.delete(key);
    }
  }

  #endAll(session: PortalSession, by: 'logout' | 'idle'): void {
    for (const signIn of Object.values(session.signIns)) this.end(signIn, by);
  }
}

function refusalReason(session: PortalSession, signIn: SignIn | undefined): SessionReason {
  if (signIn?.log.ended_by === 'second_login') return 'second_login';
  return signIn || session.stale ? 'expired' : 'none';
}
