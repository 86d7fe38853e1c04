/** A browser without scripts: it keeps cookies by path, shows pages, follows what a person would. */
export interface Browser {
  open(address: string): Promise<Shown>;
  /** Sends the form of the page with these fields, as a person who pressed the button. */
  submit(page: Shown, fields: readonly (readonly [string, string])[]): Promise<Shown>;
  readonly cookies: Map<string, { readonly value: string; readonly path: string }>;
}

export interface Shown {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface Form {
  readonly method?: string;
  readonly body?: URLSearchParams;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `stopAt`: the client's address, which nothing here listens on. */
export function openBrowser(stopAt: string): Browser {
  const cookies: Browser['cookies'] = new Map();

  async function go(address: string, init: Form = {}): Promise<Shown> {
    if (address.startsWith(stopAt)) {
      return { url: address, status: 0, headers: new Headers(), text: '' };
    }
    const { pathname } = new URL(address);
    const sent = [...cookies]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`);
    const answer = await fetch(address, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, cookie: sent.join('; '), 'accept-language': 'en' },
    });
    for (const line of answer.headers.getSetCookie()) keep(line);
    const location = answer.headers.get('location');
    const text = await answer.text();
    if (location !== null) return go(new URL(location, address).href);
    const refresh = /http-equiv="refresh" content="0;url=([^"]*)"/.exec(text)?.[1];
    if (refresh !== undefined) return go(new URL(unescapeHtml(refresh), address).href);
    return { url: address, status: answer.status, headers: answer.headers, text };
  }

  function keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';');
    const [name = '', value = ''] = pair.split('=');
    const path = attributes.find((each) => each.trim().toLowerCase().startsWith('path='));
    if (value === '') cookies.delete(name);
    else cookies.set(name, { value, path: path?.trim().slice('path='.length) ?? '/' });
  }

  return {
    cookies,
    open: (address) => go(address),
    submit(page, fields) {
      const body = new URLSearchParams(fields.map(([name, value]) => [name, value]));
      const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)?.[1];
      if (csrf !== undefined && !body.has('csrf')) body.set('csrf', csrf);
      const action = /<form[^>]* action="([^"]*)"/.exec(page.text)?.[1] ?? '';
      return go(new URL(unescapeHtml(action), page.url).href, {
        method: 'POST',
        body,
        headers: { origin: new URL(page.url).origin },
      });
    },
  };
}

function unescapeHtml(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
