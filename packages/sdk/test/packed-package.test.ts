/** The package as its users get it, by import, by require, and for the compiler. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  compile,
  ECHO,
  packProject,
  project,
  ROOT,
  RUN_A_JOB,
  run,
  shell,
  slow,
  tarball,
  write,
} from './support/packed-project.ts';

packProject();

describe('the packed package', slow, () => {
  it('holds nothing private and no test', () => {
    const files = execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
    expect(files.filter((name) => /\.test\.|tsconfig|\/src\/.*(?<!\.d)\.ts$/.test(name))).toEqual(
      [],
    );
    const installed = join(project, 'node_modules', '@changgu', 'sdk', 'dist');
    for (const name of readdirSync(installed, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(js|ts)$/.test(name)) continue;
      const text = readFileSync(join(installed, name), 'utf8');
      expect(text, name).not.toMatch(/from ['"](@changgu\/contract|typebox)/);
    }
  });

  it('holds its changelog, its examples, and everything that its README links to', () => {
    const installed = join(project, 'node_modules', '@changgu', 'sdk');
    const readme = readFileSync(join(installed, 'README.md'), 'utf8');
    const targets = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const local = targets.filter((target) => !/^(https:|#)/.test(target));
    expect(local).toContain('CHANGELOG.md');
    expect(local.filter((target) => !existsSync(join(installed, target)))).toEqual([]);
  });

  it('leaves the versions of what it needs to its users, within a range', () => {
    const installed = join(project, 'node_modules', '@changgu', 'sdk');
    const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(Object.keys(dependencies).sort()).toEqual(['ofetch', 'undici']);
    for (const range of Object.values(dependencies)) expect(range).toMatch(/^\^\d/);
  });

  it('runs by import', () => {
    write(
      'esm.js',
      `import { Changgu } from '@changgu/sdk';
       import { FakeService } from '@changgu/sdk/testing';
       import { encryptFields } from '@changgu/sdk/encrypt';
       import { loadCatalogue } from '@changgu/sdk/catalogue';
       if ((await loadCatalogue()).actions.size < 30 || !encryptFields) throw new Error();
       ${RUN_A_JOB}`,
    );
    expect(run('esm.js')).toEqual({ status: 0, output: `${ECHO}\n` });
  });

  it('reads one file when it is imported, and what sends with the first call', () => {
    write(
      'files.js',
      `import { registerHooks } from 'node:module';
       import { basename } from 'node:path';
       const files = [];
       registerHooks({
         load(url, context, next) {
           if (url.includes('/sdk/dist/')) files.push(basename(url));
           return next(url, context);
         },
       });
       const { Changgu, NotFoundError } = await import('@changgu/sdk');
       const fetch = async () => Response.json({ error: { code: 'JOB_NOT_FOUND' } }, { status: 404 });
       const client = new Changgu({ baseUrl: 'http://localhost', clientId: 'a', clientSecret: 'b', fetch });
       const job = client.jobs.resume('job_1');
       console.log(files.join());
       const error = await job.poll().catch((error) => error);
       console.log(files.join(), error instanceof NotFoundError);`,
    );
    expect(run('files.js').output).toBe('index.js\nindex.js,sending.js true\n');
  });

  it('keeps the time of the fake still until what sends is loaded', () => {
    write(
      'fake-time.js',
      `import { Changgu } from '@changgu/sdk';
       import { FakeService } from '@changgu/sdk/testing';
       const service = new FakeService();
       const client = new Changgu(service.clientOptions);
       const submission = client.jobs.submit({ action: 'bank_b.accounts.list' });
       await service.clock.advance(1);
       console.log(service.jobs.length);`,
    );
    expect(run('fake-time.js').output).toBe('1\n');
  });

  it('runs by require', () => {
    write(
      'cjs.cjs',
      `const { Changgu } = require('@changgu/sdk');
       const { FakeService } = require('@changgu/sdk/testing');
       ${RUN_A_JOB}`,
    );
    expect(run('cjs.cjs')).toEqual({ status: 0, output: `${ECHO}\n` });
  });

  it('compiles as CommonJS under module node16', () => {
    const source = `
      import { Changgu, type JobHandle } from '@changgu/sdk';
      import { FakeService } from '@changgu/sdk/testing';
      export const job: Promise<JobHandle> = new Changgu(new FakeService().clientOptions).jobs.submit({
        action: 'bank_b.accounts.list',
      });
    `;
    expect(compile('common.cts', source, { module: 'node16' })).toEqual({ status: 0, output: '' });
  });

  it('knows its errors across two copies of itself', () => {
    const installed = join(project, 'node_modules', '@changgu', 'sdk');
    cpSync(installed, join(project, 'second'), { recursive: true, dereference: true });
    write(
      'copies.js',
      `import { ConfigurationError, isChangguError } from '@changgu/sdk';
       const other = await import('./second/dist/index.js');
       const error = new other.ConfigurationError('x');
       console.log(error instanceof ConfigurationError, isChangguError(error));`,
    );
    expect(run('copies.js').output).toBe('false true\n');
  });

  it('compiles a right call, own actions included, with every declaration checked', () => {
    const source = `
      import { Changgu, isChangguError } from '@changgu/sdk';
      import { loadCatalogue } from '@changgu/sdk/catalogue';
      import { encryptFields } from '@changgu/sdk/encrypt';
      import { FakeService } from '@changgu/sdk/testing';
      declare global {
        interface ChangguActions {
          'my_bank.loans.list': { params: { branch: string }; result: { loans: string[] } };
        }
      }
      const client = new Changgu(new FakeService().clientOptions);
      const own = await client.jobs.run({ action: 'my_bank.loans.list', params: { branch: '1' } });
      if (!own.sandbox) own.data satisfies { loans: string[] } | null;
      const fields: Promise<Record<string, string>> = encryptFields({ keys: [] }, {});
      const title: string | undefined = (await loadCatalogue()).institutions[0]?.title.ko;
      try { await fields; } catch (error) { if (isChangguError(error)) error.code satisfies string; }
      export { title };
    `;
    expect(compile('right.ts', source)).toEqual({ status: 0, output: '' });
  });

  it.each(['node', 'browser'] as const)('compiles with the globals of a %s alone', (globals) => {
    const source = `
      export { Changgu } from '@changgu/sdk';
      export { loadCatalogue } from '@changgu/sdk/catalogue';
      export { encryptFields } from '@changgu/sdk/encrypt';
      export { FakeService } from '@changgu/sdk/testing';
      export { verifyWebhook } from '@changgu/sdk/webhooks';
    `;
    expect(compile(`${globals}.ts`, source, { globals })).toEqual({ status: 0, output: '' });
  });

  it('does not compile a wrong call, and says what is wrong', () => {
    const source = `
      import { Changgu } from '@changgu/sdk';
      const client = new Changgu();
      await client.jobs.submit({
        action: 'bank_b.accounts.transaction_history.search',
        params: { direction: 'sideways' },
      });
    `;
    const { status, output } = compile('wrong.ts', source);
    expect(status).not.toBe(0);
    expect(output).toContain(`Type '"sideways"' is not assignable to type '"all" | "in" | "out"`);
    expect(output.match(/error TS/g)).toHaveLength(1);
  });

  it('names the action that was meant', () => {
    const source = `
      import { Changgu } from '@changgu/sdk';
      await new Changgu().jobs.submit({ action: 'bank_b.accounts.lst' });
    `;
    const { output } = compile('typo.ts', source);
    expect(output).toContain(`Did you mean '"bank_b.accounts.list"'?`);
    expect(output.match(/error TS/g)).toHaveLength(1);
  });

  it.each([
    ['publint', ['--strict', 'PROJECT']],
    ['attw', ['TARBALL', '--profile', 'node16']],
  ])('passes %s', (tool, args) => {
    const installed = join(project, 'node_modules', '@changgu', 'sdk');
    const given = args.map((arg) => arg.replace('PROJECT', installed).replace('TARBALL', tarball));
    const { status, stdout, stderr } = spawnSync('pnpm', ['exec', tool, ...given], {
      cwd: ROOT,
      encoding: 'utf8',
      shell,
    });
    expect(status, stdout + stderr).toBe(0);
  });
});
