import { type CheerioAPI, load } from 'cheerio';
import iconv from 'iconv-lite';
import { request } from 'undici';

type Fields = Readonly<Record<string, string>>;

/** One answer of a portal, decoded as a browser would. */
export interface View {
  status: number;
  url: string;
  contentType: string;
  location: string | null;
  disposition: string;
  bytes: Buffer;
  charset: string;
  html: string;
  $: CheerioAPI;
}

function charsetOf(contentType: string, bytes: Buffer): string {
  const labelled =
    /charset=([\w-]+)/i.exec(contentType)?.[1] ??
    /charset=([\w-]+)/i.exec(bytes.toString('latin1', 0, 1024))?.[1];
  return labelled?.toLowerCase() ?? 'utf-8';
}

function percentEncode(text: string, charset: string): string {
  return [...iconv.encode(text, charset)]
    .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
    .join('');
}

/** A cookie jar and a form filler: what a person with a browser can do, and nothing more. */
export class Browser {
  readonly #base: string;
  readonly #cookies = new Map<string, string>();
  #view: View | null = null;

  constructor(base: string) {
    this.#base = base;
  }

  get view(): View {
    if (!this.#view) throw new Error('no page yet');
    return this.#view;
  }

  get cookieCount(): number {
    return this.#cookies.size;
  }

  async get(path: string): Promise<View> {
    return this.#go('GET', path, null);
  }

  /** Posts fields encoded in the charset of the page last seen. */
  async post(path: string, fields: Fields): Promise<View> {
    return this.#send(path, Object.entries(fields));
  }

  /** Fills in a form of the page last seen and sends it, hidden fields included. */
  async submit(selector: string, fields: Fields = {}): Promise<View> {
    const form = this.view.$(selector);
    if (form.length !== 1) throw new Error(`no form ${selector} in ${this.view.html}`);
    const untouched = form
      .serializeArray()
      .filter(({ name }) => !(name in fields))
      .map(({ name, value }): [string, string] => [name, value]);
    return this.#send(form.attr('action') ?? '', [...untouched, ...Object.entries(fields)]);
  }

  async follow(): Promise<View> {
    const { location } = this.view;
    if (location === null) throw new Error(`no redirect: ${this.view.html}`);
    return this.get(location);
  }

  /** Opens a session with a bearer token instead of a form. */
  async authorize(token: string, path: string): Promise<View> {
    return this.#go('POST', path, '', { authorization: `Bearer ${token}` });
  }

  async #send(path: string, fields: readonly (readonly [string, string])[]): Promise<View> {
    const charset = this.#view?.charset ?? 'utf-8';
    const body = fields
      .map(([name, value]) => `${percentEncode(name, charset)}=${percentEncode(value, charset)}`)
      .join('&');
    return this.#go('POST', path, body);
  }

  async #go(
    method: 'GET' | 'POST',
    path: string,
    body: string | null,
    more: Fields = {},
  ): Promise<View> {
    const url = new URL(path, this.#base).href;
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await request(url, {
      method,
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', ...more },
      ...(body === null ? {} : { body }),
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      this.#cookies.set(name, value);
    }
    const header = (name: string): string => String(answer.headers[name] ?? '');
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const charset = charsetOf(header('content-type'), bytes);
    const html = iconv.decode(bytes, charset);
    this.#view = {
      status: answer.statusCode,
      url,
      contentType: header('content-type'),
      location: header('location') || null,
      disposition: header('content-disposition'),
      bytes,
      charset,
      html,
      $: load(html),
    };
    return this.#view;
  }
}
