/** The packed package on every runtime that the README names: real programs, and what a page or worker loads. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { Miniflare } from 'miniflare';
import { describe, expect, it } from 'vitest';
import { PACKAGE, packProject, project, ROOT, slow, write } from './support/packed-project.ts';
import { bundle, runAsync, runtimes, workerGlobals } from './support/runtimes.ts';
import { accepted, JOB_ID, jobBody, json, scriptedServer } from './support/scripted-server.ts';

packProject();

const require = createRequire(join(ROOT, 'package.json'));

/** A program against a real service over HTTP, with the transport that the package itself chooses. */
const SUBMIT = `
  const client = new Changgu({ baseUrl, clientId: 'a', clientSecret: 'b' });
  const secrets = { account_password: '1234' };
  const job = await client.jobs.submit({ action: 'bank_b.accounts.list' });
  const { status } = await job.wait();
`;

async function service(): Promise<string> {
  const { url } = await scriptedServer(json(202, accepted), json(200, jobBody('SUCCEEDED')));
  return url;
}

describe('other runtimes', slow, () => {
  it.each(runtimes)('$runtime submits a job and waits for it', async ({ from, binary, args }) => {
    const baseUrl = await service();
    write(
      'runtime.mjs',
      `import { Changgu } from '@changgu/sdk';
       const baseUrl = ${JSON.stringify(baseUrl)};
       ${SUBMIT}
       console.log(job.id, status);`,
    );
    const command = join(ROOT, 'node_modules', from, binary);
    const { stdout, stderr } = await runAsync(command, [...args, 'runtime.mjs']);
    expect(stdout, stderr).toBe(`${JOB_ID} SUCCEEDED\n`);
  });

  it.each([[['nodejs_compat']], [[]]])('workerd with the flags %j does the same', async (flags) => {
    const script = await bundle(
      'workerd',
      `import { Changgu } from '@changgu/sdk';
       export default {
         async fetch(request, { baseUrl }) {
           ${SUBMIT}
           return Response.json([job.id, status]);
         },
       };`,
      { format: 'esm', conditions: ['workerd', 'worker', 'browser'] },
    );
    const worker = new Miniflare({
      modules: true,
      script,
      compatibilityDate: '2026-06-01',
      compatibilityFlags: flags,
      bindings: { baseUrl: await service() },
    });
    try {
      const answer = await worker.dispatchFetch('http://worker.test/');
      expect(await answer.json()).toEqual([JOB_ID, 'SUCCEEDED']);
    } finally {
      await worker.dispose();
    }
  });

  it('Jest with its defaults requires it, and fakes its time', async () => {
    write(
      'jest.test.cjs',
      `const { Changgu } = require('@changgu/sdk');
       const { FakeService } = require('@changgu/sdk/testing');
       test('a job', async () => {
         const service = new FakeService();
         const client = new Changgu(service.clientOptions);
         const work = client.jobs.run({ action: 'bank_b.accounts.list', params: { a: 1 } });
         expect((await service.clock.runUntil(work)).data.params_echo).toEqual({ a: 1 });
       });
       test('under fake timers', async () => {
         jest.useFakeTimers();
         const service = new FakeService();
         const client = new Changgu(service.clientOptions);
         const work = client.jobs.run({ action: 'bank_b.accounts.list' });
         expect((await service.clock.runUntil(work)).sandbox).toBe(true);
       });`,
    );
    const jest = join(
      dirname(require.resolve('jest/package.json', { paths: [PACKAGE] })),
      'bin/jest.js',
    );
    const args = [jest, '--runInBand', '--rootDir', project, '--testMatch', '**/*.test.cjs'];
    const { stderr } = await runAsync(process.execPath, args);
    expect(stderr).toContain('2 passed');
  });

  it('a worker without anything of Node runs jobs and encrypts', async () => {
    const script = await bundle(
      'worker',
      `import { Changgu } from '@changgu/sdk';
       import { FakeService } from '@changgu/sdk/testing';
       const service = new FakeService();
       const client = new Changgu(service.clientOptions);
       const secrets = { account_password: '1234' };
       const action = 'bank_b.accounts.transaction_history.search';
       globalThis.work = service.clock.runUntil(client.jobs.run({ action, secrets })).then(async (result) => {
         const plain = await service.decrypt(service.jobs[0].encryptedFields.account_password);
         return { echo: result.data, plain: new TextDecoder().decode(plain) };
       });`,
    );
    const context = createContext(workerGlobals());
    runInContext(script, context);
    expect(await context.work).toEqual({ echo: { mock: true, params_echo: {} }, plain: '1234' });
  });

  it('a browser is refused by the main entry', async () => {
    const script = await bundle(
      'page',
      `import { Changgu } from '@changgu/sdk';
       globalThis.attempt = () => new Changgu({ baseUrl: 'https://a.test', clientId: 'a', clientSecret: 'b' });`,
    );
    const context = createContext({ ...workerGlobals(), window: {}, document: {} });
    runInContext(script, context);
    expect(context.attempt).toThrow(/no place in a browser/);
  });

  it('a page that only knows errors gets nothing else', async () => {
    const script = await bundle(
      'errors',
      `import { isChangguError } from '@changgu/sdk'; globalThis.isChangguError = isChangguError;`,
    );
    expect(gzipSync(script, { level: 9 }).length).toBeLessThan(5000);
  });

  it('everything that a page may use stays below 25 kB, and holds nothing of Node', async () => {
    const script = await bundle(
      'everything',
      `import { ApiError, EncryptionError, isChangguError, isEndState, JobFailedError } from '@changgu/sdk';
       import * as encrypt from '@changgu/sdk/encrypt';
       globalThis.all = { isChangguError, isEndState, ApiError, JobFailedError, EncryptionError, ...encrypt };`,
    );
    expect(/EnvHttpProxyAgent|node:fs/.test(script)).toBe(false);
    expect(gzipSync(script, { level: 9 }).length).toBeLessThan(25_000);
  });

  it('a worker gets the whole client below 32 kB', async () => {
    const script = await bundle(
      'whole',
      `import { Changgu } from '@changgu/sdk'; globalThis.Changgu = Changgu;`,
    );
    expect(/EnvHttpProxyAgent|node:fs/.test(script)).toBe(false);
    expect(gzipSync(script, { level: 9 }).length).toBeLessThan(32_000);
  });

  it('a page gets its encryption in less than 3 kB', async () => {
    const script = await bundle(
      'encrypt',
      `import { encryptFields } from '@changgu/sdk/encrypt'; globalThis.encrypt = encryptFields;`,
    );
    expect(gzipSync(script, { level: 9 }).length).toBeLessThan(3000);
    const context = createContext({ ...workerGlobals(), window: {}, document: {} });
    runInContext(script, context);
    await expect(context.encrypt({ keys: [] }, {})).rejects.toThrow('no key for encryption');
  });
});
