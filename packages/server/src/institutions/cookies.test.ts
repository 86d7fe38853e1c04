import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from './connector.ts';
import { guardedLookup } from './portal/address-guard.ts';
import { createPortalHttp, HTTP_LIMITS } from './portal/client/http-client.ts';

/** An institution with several hosts: all of them are this machine, on one port. */
const HOSTS = ['www.example.co.kr', 'sso.example.co.kr', 'pay.other.co.kr'] as const;
type Host = (typeof HOSTS)[number];

const http = createPortalHttp(HTTP_LIMITS, {
  lookup: guardedLookup(
    () => true,
    (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
  ),
});

let server: Server;
let port: number;
beforeAll(async () => {
  // Answers with the cookies that came, and sets those of the query.
  server = createServer(({ url = '/', headers }, response) => {
    const { searchParams } = new URL(url, 'http://x');
    response.setHeader('set-cookie', searchParams.getAll('set'));
    const to = searchParams.get('to');
    if (to !== null) response.writeHead(302, { location: to });
    response.end(headers.cookie ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  await http.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const origin = (host: Host) => `http://${host}:${port}`;

function visit(cookies?: JsonObject) {
  const [main] = HOSTS;
  const client = http.open({
    baseUrl: origin(main),
    site: { origins: () => HOSTS.slice(1).map(origin) },
    signal: AbortSignal.timeout(30_000),
    cookies,
  });
  return {
    cookies: client.cookies,
    set: (host: Host, ...set: string[]) =>
      client.request({ path: `${origin(host)}/set`, query: { set } }),
    follow: (host: Host, to: string, ...set: string[]) =>
      client.request({ path: `${origin(host)}/login`, query: { set, to } }),
    /** The cookies that each host is sent. */
    async sent(path = '/') {
      const answers = HOSTS.map(async (host) => {
        const answer = await client.request({ path: `${origin(host)}${path}` });
        return answer.text();
      });
      return Promise.all(answers);
    },
  };
}

describe('cookies of an institution with several hosts', () => {
  it('stay with the host that set them', async () => {
    const client = visit();
    await client.set('www.example.co.kr', 'www=1; Path=/');
    await client.set('sso.example.co.kr', 'sso=2; Path=/');
    expect(await client.sent()).toEqual(['www=1', 'sso=2', '']);
  });

  it('go to all hosts of the domain that they name, and to no other', async () => {
    const client = visit();
    await client.set('sso.example.co.kr', 'token=1; Domain=example.co.kr; Path=/');
    await client.set('www.example.co.kr', 'menu=2; Domain=.example.co.kr; Path=/');
    expect(await client.sent()).toEqual(['token=1; menu=2', 'token=1; menu=2', '']);
  });

  it('of another host or of a public suffix are not kept', async () => {
    const client = visit();
    await client.set(
      'www.example.co.kr',
      'a=1; Domain=sso.example.co.kr; Path=/',
      'b=2; Domain=co.kr; Path=/',
      'c=3; Domain=kr; Path=/',
      'd=4; Domain=other.co.kr; Path=/',
    );
    expect(await client.sent()).toEqual(['', '', '']);
  });

  it('are set and sent on the way through a single sign-on', async () => {
    const client = visit();
    const back = `${origin('www.example.co.kr')}/back?set=${encodeURIComponent('www=3; Path=/')}`;
    const sign = `${origin('sso.example.co.kr')}/sign?${new URLSearchParams([
      ['set', 'own=1; Path=/'],
      ['set', 'token=2; Domain=example.co.kr; Path=/'],
      ['to', back],
    ])}`;
    const answer = await client.follow('www.example.co.kr', sign, 'www=0; Path=/');
    expect(answer.text()).toBe('www=0; token=2');
    expect(await client.sent()).toEqual(['www=3; token=2', 'own=1; token=2', '']);
  });

  it('keep to their hosts, domains and paths in the session that the next call continues', async () => {
    const client = visit();
    await client.set('www.example.co.kr', 'www=1; Path=/', 'deep=2; Path=/set');
    await client.set('sso.example.co.kr', 'token=3; Domain=example.co.kr; Path=/');
    const stored = JSON.parse(JSON.stringify(client.cookies()));
    expect(await visit(stored).sent()).toEqual(['www=1; token=3', 'token=3', '']);
    expect((await visit(stored).sent('/set/more'))[0]).toBe('deep=2; www=1; token=3');
  });
});
