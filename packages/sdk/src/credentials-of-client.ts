import type { ClientOptions } from './client-options.ts';
import { ConfigurationError } from './errors/transport-errors.ts';
import type { Authority } from './operations/operation-table.ts';

type AuthHeader = Readonly<Record<string, string>>;
type Kind = 'basic' | 'bearer' | 'key';

/** An authority that needs credentials. */
export type Principal = Exclude<Authority, 'anonymous'>;

/** Which of the configured credentials an operation gets: the first one that exists. */
const PREFERENCE: Readonly<Record<Principal, readonly Kind[]>> = {
  client: ['basic', 'key', 'bearer'],
  console: ['bearer', 'basic', 'key'],
};

/** A client's secrets. Private fields, so that neither inspection nor JSON shows them. */
export class ClientCredentials {
  readonly #basic: string | null;
  readonly #token: ClientOptions['token'];
  readonly #apiKey: string | undefined;

  constructor(options: ClientOptions) {
    this.#basic = basicHeader(options.clientId, options.clientSecret);
    this.#token = options.token;
    this.#apiKey = options.apiKey;
  }

  /** @throws ConfigurationError when the operation needs credentials and the client has none */
  async headerFor(operation: string, authority: Authority): Promise<AuthHeader> {
    if (authority === 'anonymous') return {};
    for (const kind of PREFERENCE[authority]) {
      const header = await this.#header(kind);
      if (header) return header;
    }
    throw new ConfigurationError(
      `${operation} needs credentials: pass clientId and clientSecret (or set CHANGGU_CLIENT_ID and CHANGGU_CLIENT_SECRET), token, or apiKey.`,
    );
  }

  /** The secret that an operation gets, to tell whether two clients are the same to the service. */
  secretFor(authority: Principal): ClientOptions['token'] | null {
    const secrets = { basic: this.#basic, bearer: this.#token, key: this.#apiKey };
    return PREFERENCE[authority].map((kind) => secrets[kind]).find(Boolean);
  }

  async #header(kind: Kind): Promise<AuthHeader | null> {
    if (kind === 'basic') return this.#basic === null ? null : { authorization: this.#basic };
    if (kind === 'key') {
      return this.#apiKey ? { 'x-api-key': headerText('apiKey', this.#apiKey) } : null;
    }
    if (this.#token === undefined) return null;
    // Also an empty one: another credential would make the call as someone else.
    const token = typeof this.#token === 'function' ? await this.#token() : this.#token;
    return { authorization: `Bearer ${headerText('token', token || '')}` };
  }
}

/** Text read from a file may end with a line break, and fetch would quote an invalid header value in its error. */
function headerText(name: string, secret: unknown): string {
  // A function of the caller may return anything.
  const text = String(secret).trim();
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new ConfigurationError(`${name} is empty or holds characters that a header cannot.`);
}

function basicHeader(id: string | undefined, secret: string | undefined): string | null {
  if (!id && !secret) return null;
  if (!id || !secret) {
    throw new ConfigurationError('clientId and clientSecret must be given together.');
  }
  const bytes = new TextEncoder().encode(`${id}:${secret}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
