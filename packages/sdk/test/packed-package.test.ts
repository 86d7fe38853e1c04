/** The package as its users get it: packed, installed alone in an empty project, used from every side. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'tsup';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PACKAGE = join(import.meta.dirname, '..');
const ROOT = join(PACKAGE, '..', '..');
const TSC = join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc');
const shell = process.platform === 'win32';

let folder = '';
let tarball = '';
let project = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'changgu-packed-'));
  if (!isBuilt()) execFileSync('pnpm', ['run', 'build'], { cwd: PACKAGE, shell, stdio: 'pipe' });
  const pack = ['pack', '--pack-destination', folder];
  execFileSync('pnpm', pack, { cwd: PACKAGE, shell, stdio: 'pipe' });
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
  project = mkdtempSync(join(folder, 'project-'));
  write('package.json', JSON.stringify({ name: 'p', private: true, type: 'module' }));
  const add = ['add', '--ignore-workspace', '--prefer-offline', tarball];
  execFileSync('pnpm', add, { cwd: project, shell, stdio: 'pipe' });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function changesIn(folder: string): number[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.map((name) => statSync(join(folder, name)).mtimeMs);
}

/** No source is newer than what was built from it. */
function isBuilt(): boolean {
  const built = statSync(join(PACKAGE, 'dist', 'index.d.ts'), { throwIfNoEntry: false })?.mtimeMs;
  const newest = Math.max(
    ...['src', 'scripts', '../contract/src'].flatMap((name) => changesIn(join(PACKAGE, name))),
    statSync(join(PACKAGE, 'tsup.config.ts')).mtimeMs,
  );
  return built !== undefined && built > newest;
}

function write(name: string, text: string): void {
  writeFileSync(join(project, name), text);
}

function run(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: project,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

function compile(
  name: string,
  source: string,
  module = 'nodenext',
): { status: number | null; output: string } {
  write(name, source);
  const flags =
    '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck false --target es2023 --types node';
  return run(
    TSC,
    ...flags.split(' '),
    '--module',
    module,
    '--typeRoots',
    join(ROOT, 'node_modules', '@types'),
    name,
  );
}

const RUN_A_JOB = `
  const service = new FakeService();
  const client = new Changgu(service.clientOptions);
  const work = client.jobs.run({ action: 'bank_b.accounts.list', params: { a: 1 } });
  service.clock.runUntil(work).then((result) => console.log(JSON.stringify(result.data)));
`;
const ECHO = '{"mock":true,"params_echo":{"a":1}}';

const slow = { timeout: 120_000 };

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
    expect(compile('common.cts', source, 'node16')).toEqual({ status: 0, output: '' });
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

/** One script of everything, for a runtime without modules. */
async function bundle(name: string, source: string): Promise<string> {
  write(`${name}.js`, source);
  await build({
    entry: { [name]: join(project, `${name}.js`) },
    format: 'iife',
    platform: 'browser',
    target: 'es2023',
    outDir: join(project, 'bundles'),
    noExternal: [/.*/],
    external: [/^node:/],
    minify: true,
    config: false,
    silent: true,
    clean: false,
  });
  return readFileSync(join(project, 'bundles', `${name}.global.js`), 'utf8');
}

/** What a worker has, and nothing of Node. */
function workerGlobals() {
  return {
    fetch,
    Headers,
    Request,
    Response,
    URL,
    URLSearchParams,
    ReadableStream,
    TextEncoder,
    TextDecoder,
    AbortController,
    AbortSignal,
    FormData,
    crypto,
    performance,
    btoa,
    atob,
    setTimeout,
    clearTimeout,
    Uint8Array,
  };
}

/** Bun and Deno are used where they are installed. */
const runtimes = [
  { runtime: 'bun', args: ['esm.js'] },
  { runtime: 'deno', args: ['run', '-A', 'esm.js'] },
].filter(({ runtime }) => spawnSync(runtime, ['--version'], { shell }).status === 0);

describe('other runtimes', slow, () => {
  it.each(runtimes)('$runtime runs a job', ({ runtime, args }) => {
    const { stdout } = spawnSync(runtime, args, { cwd: project, encoding: 'utf8', shell });
    expect(stdout).toBe(`${ECHO}\n`);
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
    expect(gzipSync(script, { level: 9 }).length).toBeLessThan(10_000);
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

  it('a worker gets the whole client below 30 kB', async () => {
    const script = await bundle(
      'whole',
      `import { Changgu } from '@changgu/sdk'; globalThis.Changgu = Changgu;`,
    );
    expect(/EnvHttpProxyAgent|node:fs/.test(script)).toBe(false);
    expect(gzipSync(script, { level: 9 }).length).toBeLessThan(30_000);
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
