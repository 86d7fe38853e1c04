import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A small web site for trying the connector: log in, read a table, apply for a certificate. */
export async function startPortal(port = 0) {
  let sessions = 0;
  let issued = 0;
  const signedIn = new Set<string>();

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const session = /sid=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? `s${++sessions}`;
    response.setHeader('set-cookie', `sid=${session}; Path=/; HttpOnly`);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    const show = (body: string) => response.end(`<!DOCTYPE html><html><body>${body}</body></html>`);
    const redirect = (location: string) => response.writeHead(303, { location }).end();
    const refuse = (text: string) =>
      show(`<p class="error">${text}</p><p class="error_code">U1001</p>`);

    if (request.url === '/login' && request.method === 'GET') {
      return show(
        '<form id="login" method="post" action="/login"><input name="user"><input name="pass" type="password"></form>',
      );
    }
    if (request.url === '/login') {
      const form = await readForm(request);
      if (form.get('pass') !== 'union-pass') return refuse('비밀번호가 일치하지 않습니다.');
      signedIn.add(session);
      return redirect('/members');
    }
    if (!signedIn.has(session)) return refuse('로그인이 필요한 서비스입니다.');
    if (request.url === '/members') {
      return show(
        '<table id="members"><tr><th>이름</th><th>가입일</th></tr><tr><td>김조합</td><td>2020-03-02</td></tr><tr><td>이조합</td><td>2021-11-15</td></tr></table>',
      );
    }
    if (request.url === '/apply' && request.method === 'GET') {
      return show('<form id="apply" method="post" action="/apply"><input name="purpose"></form>');
    }
    if (request.url === '/apply') {
      issued += 1;
      return show(`<table id="result"><tr><th>증명번호</th><td>2026-${issued}</td></tr></table>`);
    }
    return refuse('페이지를 찾을 수 없습니다.');
  }

  const server = createServer((request, response) => {
    // A form that was not sent to its end has no one left to answer.
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: opened } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${opened}`,
    issued: () => issued,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const piece of request) text += String(piece);
  return new URLSearchParams(text);
}
