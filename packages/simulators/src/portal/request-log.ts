const KEPT = 10_000;

export interface LoggedRequest {
  sequence: number;
  /** Milliseconds of the business clock. */
  at: number;
  method: string;
  path: string;
  status: number | null;
  login: string | null;
}

/** One login at the portal, from the request that made it to the last one that used it. */
export interface LoggedSession {
  /** Start of the cookie. */
  session: string;
  login: string;
  owner: string;
  kind: 'login' | 'quick_inquiry';
  opened_at: number;
  last_request_at: number;
  ended_by: 'logout' | 'idle' | 'second_login' | 'portal' | null;
  /** Positions on the portal's count of request starts and ends; overlaps are judged by these. */
  first_position: number;
  last_position: number;
}

export interface LogReport {
  provider: string;
  request_count: number;
  requests: readonly LoggedRequest[];
  sessions: readonly LoggedSession[];
  max_concurrent_sessions: {
    by_login: Record<string, number>;
    by_owner: Record<string, number>;
  };
}

function maxOverlap(sessions: readonly LoggedSession[]): number {
  const byCookie = Map.groupBy(sessions, (session) => session.session);
  const edges = [...byCookie.values()]
    .flatMap((group) => [
      { position: Math.min(...group.map((session) => session.first_position)), change: 1 },
      { position: Math.max(...group.map((session) => session.last_position)) + 0.5, change: -1 },
    ])
    .sort((a, b) => a.position - b.position);
  let open = 0;
  let most = 0;
  for (const edge of edges) {
    open += edge.change;
    most = Math.max(most, open);
  }
  return most;
}

function overlaps(
  sessions: readonly LoggedSession[],
  key: 'login' | 'owner',
): Record<string, number> {
  const groups = Map.groupBy(sessions, (session) => session[key]);
  return Object.fromEntries([...groups].map(([name, group]) => [name, maxOverlap(group)]));
}

/** What a portal saw, for tests that must prove what it did not see. */
export class RequestLog {
  readonly #provider: string;
  #requests: LoggedRequest[] = [];
  #sessions: LoggedSession[] = [];
  #count = 0;
  #position = 0;

  constructor(provider: string) {
    this.#provider = provider;
  }

  /** The next position: every start and end of a request takes one. */
  tick(): number {
    this.#position += 1;
    return this.#position;
  }

  begin(at: number, method: string, path: string): LoggedRequest {
    this.#count += 1;
    const entry = { sequence: this.#count, at, method, path, status: null, login: null };
    this.#requests.push(entry);
    if (this.#requests.length > KEPT) this.#requests.shift();
    return entry;
  }

  openSession(session: LoggedSession): void {
    this.#sessions.push(session);
    if (this.#sessions.length > KEPT) this.#sessions.shift();
  }

  report(): LogReport {
    return {
      provider: this.#provider,
      request_count: this.#count,
      requests: this.#requests,
      sessions: this.#sessions,
      max_concurrent_sessions: {
        by_login: overlaps(this.#sessions, 'login'),
        by_owner: overlaps(this.#sessions, 'owner'),
      },
    };
  }
}
