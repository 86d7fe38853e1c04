import {
  AbortedError,
  ConnectionError,
  type Encryptor,
  type HttpRequest,
  type Middleware,
} from '@changgu/sdk';

/** Something that a command was about to do: a request, or a change on this machine. */
export type Intent =
  | {
      readonly method: string;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  | { readonly writes: string }
  | { readonly removes: string }
  | { readonly runs: readonly string[] };

/** Headers that carry a request's meaning; the others authenticate it or describe this program. */
const TELLING_HEADERS = ['x-env-scope', 'idempotency-key', 'prefer', 'x-sandbox-outcome'];
/** Sent unencrypted over TLS, because the service itself must read them. */
const PLAIN_SECRETS =
  /^(password|current_password|new_password|access_token|refresh_token|token|factor_code)$/;

/** One more session, or one less, needs no look before the command is repeated. */
export const IS_SESSION = /^log(in|out)/;

/**
 * Every change passes through here. The gate is closed for commands that only read; in a dry
 * run it stops the first change and records it for display.
 */
export class WriteGate {
  readonly #mode: 'closed' | 'open' | 'dry-run';
  #held: Intent | null = null;
  #unanswered = 0;
  #changed = false;

  constructor(mode: 'closed' | 'open' | 'dry-run') {
    this.#mode = mode;
  }

  get dryRun(): boolean {
    return this.#mode === 'dry-run';
  }

  /** Where a dry run stopped. */
  get held(): Intent | null {
    return this.#held;
  }

  /** A change was sent that has no answer yet, and no key under which its job is found. */
  get isUnanswered(): boolean {
    return this.#unanswered > 0;
  }

  /** A change was made: the service has carried out what was asked of it, or it was made on this machine. */
  get hasChanged(): boolean {
    return this.#changed;
  }

  /** To be called after a change on this machine. */
  changed(): void {
    this.#changed = true;
  }

  /** For every client of a run. */
  readonly middleware: Middleware = async (request, next, { operation, idempotencyKey }) => {
    if (this.dryRun && operation === 'readEncryptionKeys') return NO_KEYS;
    if (request.method === 'GET' || request.method === 'HEAD') return next(request);
    this.pass(intentOf(request));
    const isSession = IS_SESSION.test(operation);
    const unclear = idempotencyKey === null && !isSession ? 1 : 0;
    this.#unanswered += unclear;
    const answer = await next(request).catch((error: unknown) => {
      if (error instanceof ConnectionError && error.neverSent) this.#unanswered -= unclear;
      throw error;
    });
    this.#unanswered -= unclear;
    const asksOnly = isSession || request.headers.prefer === 'validate-only';
    if (answer.status < 400 && !asksOnly) this.#changed = true;
    return answer;
  };

  /** @throws AbortedError in a dry run, which the SDK never retries */
  pass(intent: Intent): void {
    if (this.#mode === 'open') return;
    if (this.#mode === 'closed') throw new Error(`a reading command writes: ${intentText(intent)}`);
    this.#held ??= intent;
    throw new AbortedError('dry run');
  }
}

function intentOf({ method, url, headers, body }: HttpRequest): Intent {
  const telling = Object.entries(headers).filter(([name]) =>
    TELLING_HEADERS.includes(name.toLowerCase()),
  );
  return {
    method,
    url,
    headers: Object.fromEntries(telling.map(([name, value]) => [name.toLowerCase(), value])),
    ...(body === undefined ? {} : { body: JSON.parse(body, hideSecret) }),
  };
}

function hideSecret(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (PLAIN_SECRETS.test(name)) return '<hidden>';
  return /^A{600,}/.test(value) ? '<encrypted>' : value;
}

function intentText(intent: Intent): string {
  return 'method' in intent ? `${intent.method} ${intent.url}` : JSON.stringify(intent);
}

const BYTES = 512;

/** What is never sent need not be encrypted: a dry run needs no key, and shows a placeholder instead of the bytes. */
export const blankEncryptor: Encryptor = {
  encryptPieces: (_, pieces) => pieces.map(() => new Uint8Array(BYTES)),
};

const NO_KEYS = {
  status: 200,
  headers: { get: (name: string) => (name === 'content-type' ? 'application/json' : null) },
  body: JSON.stringify({
    keys: [
      {
        kid: 'dry-run',
        kty: 'RSA',
        alg: 'RSA-OAEP-256',
        use: 'enc',
        n: Buffer.alloc(BYTES, 0xff).toString('base64url'),
        e: 'AQAB',
      },
    ],
  }),
};
