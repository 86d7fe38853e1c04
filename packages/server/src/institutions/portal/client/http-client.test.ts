import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import iconv from 'iconv-lite';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { JsonObject, PortalRequest } from '../../connector.ts';
import { isPrivateAddress, isPrivateHost, publicLookup } from '../address-guard.ts';
import { readForm } from '../form.ts';
import { parsePage } from '../page.ts';
import { createPortalHttp, HTTP_LIMITS, type HttpLimits } from './http-client.ts';

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

const small: HttpLimits = { ...HTTP_LIMITS, maxBytes: 100_000 };
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
    const late = new AbortController();
    const allowed: number[] = [];
    const patient = createPortalHttp(HTTP_LIMITS, {
      timeout: (ms) => {
        allowed.push(ms);
        return late.signal;
      },
    });
    const url = await serve((_, response) => {
      const drip = (drops: number) => {
        response.write('.');
        if (drops === 100) late.abort(new DOMException('too late', 'TimeoutError'));
        if (!late.signal.aborted) setImmediate(drip, drops + 1);
      };
      drip(1);
    });
    const client = patient.open({ baseUrl: url, signal: new AbortController().signal });
    await expect(client.request({ path: '/' })).rejects.toMatchObject({
      ...UPSTREAM,
      transient: true,
    });
    expect(allowed).toEqual([30_000]);
    await patient.close();
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

  it('further origins of the institution are its own, and no others', async () => {
    const sso = await serve(({ url: path, headers }, response) => {
      if (path === '/authorize') response.writeHead(302, { location: `${home}/back` }).end();
      else response.end(headers.referer);
    });
    let home = '';
    home = await serve((request, response) => {
      if (request.url === '/login') response.writeHead(302, { location: `${sso}/authorize` }).end();
      else response.setHeader('content-type', 'text/html').end(`at ${request.url}`);
    });
    const site = { origins: () => [sso] };
    const client = http.open({ baseUrl: home, signal: AbortSignal.timeout(10_000), site });
    const back = await client.request({ path: '/login' });
    expect([back.text(), back.origins]).toEqual(['at /back', [home, sso]]);
    // A browser tells another origin no more than the own one.
    expect((await client.request({ path: `${sso}/who` })).text()).toBe(`${home}/`);
    await expect(open(home).request({ path: '/login' })).rejects.toMatchObject(UPSTREAM);
  });

  it('a further origin is at least as safe as the address that was configured', () => {
    const at = (baseUrl: string, origin: string) => () =>
      http.open({ baseUrl, signal: AbortSignal.timeout(1), site: { origins: () => [origin] } });
    expect(at('https://portal.example', 'http://sso.portal.example')).toThrow(TypeError);
    expect(at('https://portal.example', 'https://10.0.0.1')).toThrow(TypeError);
    expect(at('https://portal.example', 'https://sso.portal.example')).not.toThrow();
  });

  it.each(['http://127.0.0.1:1/', '//127.0.0.1:1/', 'https://[', 'mailto:x@example.com'])(
    'an address elsewhere, as a page may name it: %s (D141)',
    async (path) => {
      let asked = 0;
      const url = await serve((_, response) => {
        asked += 1;
        response.end();
      });
      const refused = { ...UPSTREAM, details: { transient: false } };
      await expect(open(url).request({ path })).rejects.toMatchObject(refused);
      expect(asked).toBe(0);
    },
  );

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

  it.each(['utf8', 'cp949'])(
    'the Korean query of a redirect, as it was sent: %s',
    async (codec) => {
      const msg = iconv.encode('비밀번호', codec).toString('latin1');
      const url = await serve(({ url: path }, response) => {
        if (path === '/in') response.writeHead(302, { location: `/error.jsp?msg=${msg}` }).end();
        else response.end(path);
      });
      const shown = (await open(url).request({ path: '/in' })).text();
      expect(iconv.decode(Buffer.from(decodePercent(shown), 'latin1'), codec)).toBe(
        '/error.jsp?msg=비밀번호',
      );
    },
  );

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

describe('what a browser would send', () => {
  async function echo(): Promise<string> {
    return serve((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const { referer, origin, 'content-type': type, 'user-agent': agent } = request.headers;
        const body = Buffer.concat(pieces).toString('latin1');
        response.setHeader('content-type', 'text/html');
        response.end(JSON.stringify({ referer, origin, type, agent, body }));
      });
    });
  }

  it('is where it comes from, and the origin of what it sends', async () => {
    const url = await echo();
    const client = open(url);
    const said = async (order: PortalRequest) => JSON.parse((await client.request(order)).text());
    expect(await said({ path: '/a' })).not.toHaveProperty('referer');
    expect(await said({ path: '/b' })).toMatchObject({ referer: `${url}/a` });
    expect(await said({ method: 'POST', path: '/c', form: { x: ['1', '2'] } })).toMatchObject({
      referer: `${url}/b`,
      origin: url,
      body: 'x=1&x=2',
    });
  });

  it('is what the site of the institution wants with every request', async () => {
    const site = { headers: { 'user-agent': 'Edge' } };
    const client = http.open({ baseUrl: await echo(), signal: AbortSignal.timeout(10_000), site });
    expect(JSON.parse((await client.request({ path: '/' })).text()).agent).toBe('Edge');
  });

  it('is a multipart form in the charset of its page, or any other body', async () => {
    const client = open(await echo());
    const multipart = [
      { name: '제목', value: '가' },
      { name: 'file', value: new Uint8Array([1, 2]), fileName: 'a.bin', contentType: 'x/y' },
    ];
    const sent = await client.request({ method: 'POST', path: '/', multipart, charset: 'euc-kr' });
    const { type, body } = JSON.parse(sent.text());
    const boundary = /boundary=(.+)$/.exec(type)?.[1];
    expect(body.split(`--${boundary}`).slice(1, -1)).toEqual([
      `\r\nContent-Disposition: form-data; name="${iconv.encode('제목', 'cp949').toString('latin1')}"\r\n\r\n°¡\r\n`,
      '\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\nContent-Type: x/y\r\n\r\n\u0001\u0002\r\n',
    ]);
    const content = { content: '<map/>', contentType: 'application/xml; charset=UTF-8' };
    const raw = JSON.parse(
      (await client.request({ method: 'POST', path: '/', body: content })).text(),
    );
    expect(raw).toMatchObject({ type: content.contentType, body: '<map/>' });
  });
});
