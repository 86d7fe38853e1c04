import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import iconv from 'iconv-lite';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../connector.ts';
import { isPrivateAddress, isPrivateHost, publicLookup } from './address-guard.ts';
import { createPortalHttp, HTTP_LIMITS, type HttpLimits } from './http-client.ts';
import { parsePage, readForm } from './page.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const small: HttpLimits = { ...HTTP_LIMITS, timeoutMs: 300, maxBytes: 100_000 };
const http = createPortalHttp(small);
afterAll(() => http.close());

function open(baseUrl: string, options: { cookies?: JsonObject; signal?: AbortSignal } = {}) {
  return http.open({ baseUrl, signal: AbortSignal.timeout(10_000), ...options });
}

const UPSTREAM = { name: 'InstitutionError', code: 'PROVIDER_UPSTREAM_ERROR' };

describe("limits of an institution's client (D141)", () => {
  it('a body, while it arrives', async () => {
    const url = await serve((_, response) => response.end(Buffer.alloc(100_001)));
    await expect(open(url).request({ path: '/' })).rejects.toMatchObject({
      ...UPSTREAM,
      details: { upstreamStatus: 200, transient: false },
    });
  });

  it('a body without an end', async () => {
    let sent = 0;
    const url = await serve((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(10_000))) sent += 10_000;
      };
      response.on('drain', more);
      more();
    });
    await expect(open(url).request({ path: '/' })).rejects.toMatchObject(UPSTREAM);
    expect(sent).toBeLessThan(30_000_000);
  });

  it('a compressed body, by what comes out of it', async () => {
    const { gzipSync } = await import('node:zlib');
    const url = await serve((_, response) =>
      response
        .writeHead(200, { 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(5_000_000))),
    );
    await expect(open(url).request({ path: '/' })).rejects.toMatchObject(UPSTREAM);
  });

  it('the time of an answer, drop by drop', async () => {
    const timers: NodeJS.Timeout[] = [];
    const url = await serve((_, response) => {
      timers.push(setInterval(() => response.write('.'), 20));
    });
    const failure = open(url).request({ path: '/' });
    await expect(failure).rejects.toMatchObject({ ...UPSTREAM, transient: true });
    for (const timer of timers) clearInterval(timer);
  });

  it('a call that is stopped ends with its reason', async () => {
    const stop = new AbortController();
    const url = await serve(() => stop.abort(new Error('canceled')));
    const failure = open(url, { signal: stop.signal }).request({ path: '/' });
    await expect(failure).rejects.toThrow('canceled');
  });

  it('a connection that breaks', async () => {
    const url = await serve((request) => request.socket.destroy());
    await expect(open(url).request({ path: '/' })).rejects.toMatchObject(UPSTREAM);
  });

  it('redirects: within the institution only, and not for ever', async () => {
    let asked = 0;
    const elsewhere = await serve((_, response) => {
      asked += 1;
      response.end();
    });
    const url = await serve(({ url: path, headers }, response) => {
      if (path === '/away') response.writeHead(302, { location: `${elsewhere}/` }).end();
      else if (path === '/round') response.writeHead(302, { location: '/round' }).end();
      else if (path === '/in') {
        response.writeHead(303, { location: '/home?a=1', 'set-cookie': 'sid=1; HttpOnly' }).end();
      } else response.end(`${path} ${headers.cookie}`);
    });
    const refused = { ...UPSTREAM, details: { upstreamStatus: 302, transient: false } };
    await expect(open(url).request({ path: '/away' })).rejects.toMatchObject(refused);
    await expect(open(url).request({ path: '/round' })).rejects.toMatchObject(refused);
    const home = await open(url).request({ method: 'POST', path: '/in', form: { a: 'b' } });
    expect(home.text()).toBe('/home?a=1 sid=1');
    expect(asked).toBe(0);
  });

  it('its own origin: a path is not an address', async () => {
    const url = await serve((_, response) => response.end());
    const failure = open(url).request({ path: 'http://127.0.0.1:1/' });
    await expect(failure).rejects.toThrow(TypeError);
  });

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    'fe80::1',
    'fd00::1',
    '::ffff:10.0.0.1',
  ])('%s is a private address', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it('a name that stands for a private address is refused', async () => {
    expect(isPrivateAddress('93.184.216.34')).toBe(false);
    expect(isPrivateHost('portal.example.com')).toBe(false);
    expect(isPrivateHost('[::1]')).toBe(true);
    const error = await new Promise((resolve) => {
      publicLookup('localhost', {}, (refused) => resolve(refused));
    });
    expect(String(error)).toContain('private address');
  });
});

describe('what a client of an institution carries', () => {
  it('cookies, from one client to the next', async () => {
    const url = await serve(({ headers }, response) => {
      response.setHeader('set-cookie', ['a=1; Path=/', 'b=2; Path=/; Secure']);
      response.end(headers.cookie ?? '');
    });
    const first = open(url);
    await first.request({ path: '/' });
    const next = open(url, { cookies: JSON.parse(JSON.stringify(first.cookies())) });
    expect((await next.request({ path: '/' })).text()).toBe('a=1; b=2');
    expect((await open(url).request({ path: '/' })).text()).toBe('');
  });

  it('a base address with a path: below it, whether a page or we lead there', async () => {
    const seen: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      seen.push(request.url);
      response.setHeader('content-type', 'text/html');
      response.end('<form id="f" action="next?a=1"></form></html>');
    });
    const portal = open(`${url}/gateway`);
    const page = parsePage(await portal.request({ path: '/login' }));
    await portal.request({ path: readForm(page, '#f').action });
    expect(seen).toEqual(['/gateway/login', '/gateway/next?a=1']);
  });

  it('forms and queries in the charset of the page, names included', async () => {
    const seen: string[] = [];
    const url = await serve((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const text = Buffer.concat(pieces).toString() || (request.url?.split('?')[1] ?? '');
        const bytes = Buffer.from(decodePercent(text), 'latin1');
        seen.push(iconv.decode(bytes, 'cp949'));
        response.end();
      });
    });
    const fields = { 계좌번호: '1 2&3', 똠: '방각하' };
    await open(url).request({ method: 'POST', path: '/', form: fields, charset: 'euc-kr' });
    await open(url).request({ path: '/', query: fields, charset: 'euc-kr' });
    expect(seen).toEqual(['계좌번호=1 2&3&똠=방각하', '계좌번호=1 2&3&똠=방각하']);
  });

  it.each([
    ['its header', 'text/html; charset=EUC-KR', '<html>잔액</html>', 'cp949'],
    ['its meta element', 'text/html', '<meta charset="euc-kr">잔액', 'cp949'],
    ['nothing: UTF-8', 'text/html', '잔액', 'utf8'],
    ['an unknown label: UTF-8', 'text/html; charset=x-none', '잔액', 'utf8'],
  ])('text in the charset of %s', async (_, contentType, text, codec) => {
    const url = await serve((_request, response) =>
      response.writeHead(200, { 'content-type': contentType }).end(iconv.encode(text, codec)),
    );
    expect((await open(url).request({ path: '/' })).text()).toBe(text);
  });

  it('refuses bytes that are not in the charset they claim', async () => {
    const url = await serve((_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(iconv.encode('계좌번호와 잔액', 'cp949')),
    );
    const response = await open(url).request({ path: '/' });
    expect(() => response.text()).toThrow('PROVIDER_UPSTREAM_ERROR');
  });
});

function decodePercent(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replaceAll(/%([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
}
