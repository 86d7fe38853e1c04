import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { startDevProcess } from '../support/dev-process.ts';

it('where OAuth is off, nothing of it is loaded, and nothing of it answers', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'changgu-off-'));
  const spy = join(directory, 'spy.mjs');
  const forbidden = '/(oidc-provider|koa|openid-client)/|start-oauth|oauth/host';
  await writeFile(
    spy,
    `import { registerHooks } from 'node:module';
     registerHooks({ load(url, context, next) {
       if (/${forbidden.replaceAll('/', '\\/')}/.test(url)) throw new Error('loaded ' + url);
       return next(url, context);
     } });`,
  );
  const options = `--import=${pathToFileURL(spy).href}`;
  const off = await startDevProcess(join(directory, 'off'), { NODE_OPTIONS: options });
  const paths = ['/oauth/auth', '/.well-known/oauth-protected-resource/mcp'];
  for (const path of paths) {
    expect((await fetch(new URL(path, off.ready.base_url))).status).toBe(404);
  }
  const mcp = await fetch(new URL('/mcp', off.ready.base_url), { method: 'POST' });
  expect(mcp.headers.get('www-authenticate')).not.toContain('Bearer');
  await off.end('SIGTERM');
  const on = startDevProcess(join(directory, 'on'), { NODE_OPTIONS: options, CHANGGU_OAUTH: 'on' });
  await expect(on).rejects.toThrow('loaded ');
  await rm(directory, { recursive: true, force: true });
}, 60_000);
