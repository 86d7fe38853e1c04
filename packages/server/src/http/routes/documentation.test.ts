import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { testApp } from '../../../test/support/http-app.ts';
import { documentationRoutes } from './documentation.ts';

function app() {
  const made = testApp();
  documentationRoutes(made, async () => ({ openapi: '3.1.0' }));
  return made.fastify;
}

describe('documentation', () => {
  it('serves the OpenAPI document without authentication', async () => {
    const answer = await app().inject('/openapi.json');
    expect([answer.statusCode, answer.json()]).toEqual([200, { openapi: '3.1.0' }]);
  });

  it('serves a reference page that loads nothing from other origins', async () => {
    const fastify = app();
    const page = await fastify.inject('/docs');
    expect(page.body).not.toMatch(/(src|href)="https?:/);
    expect(page.body).toContain('openapi.json');
    const [, script = ''] =
      /<script type="text\/javascript">([\s\S]*?)<\/script>/.exec(page.body) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(page.headers['content-security-policy']).toContain(`'sha256-${hash}'`);
    expect(page.headers['content-security-policy']).not.toContain(
      "script-src 'self' 'unsafe-inline'",
    );
    const library = await fastify.inject('/docs/js/scalar.js');
    expect(library.headers['content-type']).toContain('javascript');
    expect(library.body.length).toBeGreaterThan(1_000_000);
  });
});
