import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bundleContract,
  type ContractBundle,
} from '../../src/institutions/testing/contract-bundle.ts';

const CARELESS = fileURLToPath(new URL('../support/careless-connectors.ts', import.meta.url));
const PASSWORD = 'union pass/가!';

let suite: ContractBundle;
let server: Server;
let baseUrl: string;
let issued = 0;
beforeAll(async () => {
  suite = await bundleContract({ careless: CARELESS });
  server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const show = (body: string) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(`<!DOCTYPE html><html><body>${body}</body></html>`);
    };
    if (request.method === 'POST' && request.url === '/apply') {
      issued += 1;
      return show(`<p id="number">2026-${issued}</p>`);
    }
    if (request.method === 'POST') {
      let text = '';
      for await (const piece of request) text += String(piece);
      if (new URLSearchParams(text).get('pass') !== PASSWORD) {
        return show('<p class="error">비밀번호가 일치하지 않습니다.</p>');
      }
      response.setHeader('set-cookie', 'sid=in; Path=/');
      return response.writeHead(303, { location: '/members' }).end();
    }
    if (request.url === '/login') {
      return show(
        '<form id="login" method="post" action="/login"><input name="user"><input name="pass"></form>',
      );
    }
    if (!request.headers.cookie?.includes('sid=in')) {
      return show('<p class="error">로그인이 필요한 서비스입니다.</p>');
    }
    if (request.url === '/apply') {
      return show('<form id="apply" method="post" action="/apply"><input name="purpose"></form>');
    }
    return show('<table id="members"><tr><td>김조합</td></tr><tr><td>이조합</td></tr></table>');
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await suite.remove();
});

/** The rules that an action breaks, and what was seen. */
async function broken(action: string): Promise<Record<string, string>> {
  const credential = { type: 'id_password', loginId: 'kim', loginPassword: PASSWORD } as const;
  const findings = await suite.checkConnector({
    module: suite.moduleOf('careless'),
    action: `careless.${action}`,
    baseUrl,
    link: { credential },
    effects: async () => issued,
  });
  const failed = findings.filter(({ kept }) => !kept);
  return Object.fromEntries(failed.map(({ rule, seen }) => [rule, seen]));
}

describe('the contract suite', { timeout: 60_000 }, () => {
  it('finds nothing where nothing is wrong', async () => {
    expect(await broken('careful')).toEqual({});
  });

  it('finds a connector that makes an empty list of what it could not read', async () => {
    const rules = await broken('swallow');
    expect(Object.keys(rules)).toEqual([
      'reports a wrong password as rejected',
      'takes no unknown page for a login, and sends no credential twice',
      'notices that its session has ended',
      'fails when a page does not come in time',
      'fails when a page breaks off',
      'fails when another page comes than the one that was asked for',
      'fails when a page is in another charset than it says',
    ]);
    expect(rules['fails when a page breaks off']).toContain('succeeded with another result');
  });

  it('finds one that takes any page for a login', async () => {
    expect(Object.keys(await broken('trusting'))).toEqual([
      'takes no unknown page for a login, and sends no credential twice',
    ]);
  });

  it('finds one that does not announce its password, and takes any page for a login (D165)', async () => {
    expect(await broken('silent')).toMatchObject({
      'announces each credential that it sends': 'not at request 2',
      'takes no unknown page for a login, and sends no credential twice': expect.anything(),
    });
  });

  it('finds one whose only result is a file of what it could read', async () => {
    const rules = await broken('hoarder');
    expect(rules['fails when a page does not come in time']).toContain(
      'at request 3: it succeeded',
    );
    expect(rules['fails when another page comes than the one that was asked for']).toContain(
      'at request 3: it succeeded',
    );
  });

  it('finds one that sends the password again (D165)', async () => {
    const rules = await broken('stubborn');
    expect(rules['takes no unknown page for a login, and sends no credential twice']).toBeDefined();
  });

  it('finds one that takes a slow page for an empty one', async () => {
    const rules = await broken('impatient');
    expect(rules['fails when a page does not come in time']).toContain('succeeded with another');
  });

  it('finds one whose result is not what its schema says', async () => {
    const rules = await broken('misshapen');
    expect(Object.keys(rules)).toEqual(['answers what its result schema says']);
    expect(rules['answers what its result schema says']).toContain('data.names.0');
  });

  it('finds one that ignores a stop', async () => {
    const rules = await broken('deaf');
    expect(rules['ends within two seconds when it is stopped, and asks nothing more']).toMatch(
      /[1-9]\d* requests$/,
    );
  });

  it('does not count how long a process takes to exit after a stop', async () => {
    expect(await broken('lingering')).toEqual({});
  });

  it('takes a time that passed meanwhile for no other result', async () => {
    expect(await broken('punctual')).toEqual({});
  });

  it.each([
    ['chatty', 'log'],
    ['archivist', 'file'],
    ['herald', 'progress'],
    ['echo', 'result'],
    ['blamer', 'error'],
  ])('finds one that shows the password: %s', async (action, where) => {
    const rules = await broken(action);
    expect(rules).toEqual({
      'shows no secret in results, progress, errors, files or logs': `a secret was seen: ${where}`,
    });
  });
});

describe('the contract suite of what takes effect', { timeout: 60_000 }, () => {
  const ONCE = 'takes effect once in a whole run';
  const PASSES = 'passes the point of no return once';
  const NOT_BEFORE = 'takes no effect before the point of no return';
  const REFUSED = 'asks nothing more when the point of no return is refused';

  it('finds nothing where nothing is wrong (D03)', async () => {
    expect(await broken('exact')).toEqual({});
  });

  it('finds a connector that applies twice (D03)', async () => {
    expect(await broken('twice')).toMatchObject({ [ONCE]: '2 effects' });
  });

  it('finds one that applies without the point of no return (D03)', async () => {
    expect(await broken('pointless')).toMatchObject({
      [PASSES]: '0 times',
      [NOT_BEFORE]: '1 effects',
      [REFUSED]: expect.stringMatching(/^1 effects/),
    });
  });

  it('finds one that applies before the point of no return (D03)', async () => {
    expect(await broken('hasty')).toMatchObject({
      [NOT_BEFORE]: '1 effects',
      [REFUSED]: expect.stringMatching(/^1 effects/),
    });
  });

  it('finds one that applies although the point of no return is refused (D03)', async () => {
    expect(await broken('headstrong')).toEqual({ [REFUSED]: '1 effects, 1 requests' });
  });
});
