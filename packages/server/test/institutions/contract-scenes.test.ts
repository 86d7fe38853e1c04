import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkConnector } from '../../src/connector.ts';

const module = fileURLToPath(new URL('../support/careless-connectors.ts', import.meta.url));
const PASSWORD = 'union pass/가!';

let server: Server;
let baseUrl: string;
beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const show = (body: string) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(`<!DOCTYPE html><html><body>${body}</body></html>`);
    };
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
    return show('<table id="members"><tr><td>김조합</td></tr><tr><td>이조합</td></tr></table>');
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** The rules that an action breaks, and what was seen. */
async function broken(action: string): Promise<Record<string, string>> {
  const credential = { type: 'id_password', loginId: 'kim', loginPassword: PASSWORD } as const;
  const findings = await checkConnector({
    module,
    action: `careless.${action}`,
    baseUrl,
    link: { credential },
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

  it('finds one that sends the password again (D165)', async () => {
    const rules = await broken('stubborn');
    expect(rules['takes no unknown page for a login, and sends no credential twice']).toBeDefined();
  });

  it.each([
    ['chatty', 'log'],
    ['archivist', 'file'],
  ])('finds one that shows the password: %s', async (action, where) => {
    const rules = await broken(action);
    expect(rules).toEqual({
      'shows no secret in results, progress, errors, files or logs': `a secret was seen: ${where}`,
    });
  });
});
