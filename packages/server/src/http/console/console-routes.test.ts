import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { testApp } from '../../../test/support/http-app.ts';
import type { HttpApp } from '../app.ts';
import { pageFor } from './console-page.ts';
import { consoleRoutes } from './console-routes.ts';

let fastify: HttpApp['fastify'];

beforeAll(() => {
  const app = testApp();
  consoleRoutes(app, null);
  ({ fastify } = app);
});

/** The address of the console's folder as a browser computes it from the page. */
function baseOf(requested: string, path: string): string {
  const [, base = ''] = /<base href="([^"]*)">/.exec(pageFor('<head>', path)) ?? [];
  return new URL(base, requested).pathname;
}

describe('the page of the console', () => {
  it.each([
    ['http://h/console', '', '/console/'],
    ['http://h/console/', '/', '/console/'],
    ['http://h/console/jobs', '/jobs', '/console/'],
    ['http://h/console/jobs/job_1', '/jobs/job_1', '/console/'],
    ['https://h/a/prefix/console/links/1', '/links/1', '/a/prefix/console/'],
    ['https://h/a/prefix/console', '', '/a/prefix/console/'],
  ])('finds its folder from %s, below any prefix', (requested, path, folder) => {
    expect(baseOf(requested, path)).toBe(folder);
  });

  it('is the same for every address and allows no inline part and no frame', async () => {
    for (const url of ['/console', '/console/jobs/job_1?x=1']) {
      const { statusCode, headers, body } = await fastify.inject(url);
      expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['cache-control']).toBe('no-store');
      expect(body).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|(src|href)="(https?:)?\/\//);
    }
  });

  it('sends its files compressed and lets a browser keep them', async () => {
    const { body } = await fastify.inject('/console');
    const [, script = ''] = /src="\.\/(assets\/[^"]+\.js)"/.exec(body) ?? [];
    const plain = await fastify.inject(`/console/${script}`);
    const zipped = await fastify.inject({
      url: `/console/${script}`,
      headers: { 'accept-encoding': 'gzip, br' },
    });
    expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(zipped.headers).toMatchObject({
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.body);
  });

  it.each(['/console/assets/none.js', '/console/assets/', '/console/assets/..%2findex.html'])(
    'knows no file %s',
    async (url) => {
      expect((await fastify.inject(url)).statusCode).toBe(404);
    },
  );

  it('answers another method with 405', async () => {
    const { statusCode } = await fastify.inject({ method: 'POST', url: '/console/jobs' });
    expect(statusCode).toBe(405);
  });

  it('does not sign in by a link unless configured to', async () => {
    const { statusCode } = await fastify.inject({
      method: 'POST',
      url: '/console/sign-in-once',
      payload: { token: '' },
    });
    expect(statusCode).toBe(405);
  });
});

describe('the link of a development server', () => {
  function appWithLink() {
    const app = testApp();
    consoleRoutes(app, { token: 'right', email: 'owner@example.com', password: 'p' });
    app.fastify.post('/v1/auth/login', async ({ body }, reply) =>
      reply.header('set-cookie', 'session=1').send(body),
    );
    return (token: unknown) =>
      app.fastify.inject({ method: 'POST', url: '/console/sign-in-once', payload: { token } });
  }

  it('does the login of the demo owner once', async () => {
    const follow = appWithLink();
    const first = await follow('right');
    expect([first.statusCode, first.headers['set-cookie']]).toEqual([200, 'session=1']);
    expect(first.json()).toEqual({ email: 'owner@example.com', password: 'p', cookie: true });
    expect((await follow('right')).statusCode).toBe(401);
  });

  it('refuses what is not its token, and stays usable', async () => {
    const follow = appWithLink();
    for (const wrong of ['', 'wrong', null, ['right'], undefined]) {
      expect((await follow(wrong)).statusCode).toBe(401);
    }
    expect((await follow('right')).statusCode).toBe(200);
  });
});
