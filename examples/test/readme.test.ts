import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flagsForSdk, serverProgram } from '../../scripts/programs.ts';
import { startPortal } from '../own-institution/portal.ts';
import { type DevServer, startDevServer } from './support/dev-server.ts';
import { blocks, pageText, ROOT } from './support/pages.ts';

const run = promisify(execFile);
/** The check needs no more than Node and npm. */
const hasCurl = spawnSync('curl', ['--version']).status === 0;

let folder: string;
let portal: Awaited<ReturnType<typeof startPortal>>;
let server: DevServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'changgu-readme-'));
  portal = await startPortal();
  server = await startDevServer('sandbox', {
    // All accounts of the demo at once.
    CHANGGU_BANK_PRODUCT_CAP: '10',
    CHANGGU_CONNECTORS: join(ROOT, 'examples', 'own-institution', 'connectors.ts'),
    CHANGGU_REAL_TEST_URL_MY_UNION: portal.url,
  });
  await symlink(server.dataDir, join(folder, '.changgu'));
  await symlink(join(ROOT, 'changgu'), join(folder, 'changgu'));
});
afterAll(async () => {
  portal.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs shell lines as if pasted into a terminal, in a fresh home directory; stops at the first failure. */
async function paste(lines: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const own = join(folder, 'home');
  const home = { HOME: own, XDG_CONFIG_HOME: own, XDG_STATE_HOME: own };
  const env = { ...environment, ...home, CHANGGU_CREDENTIAL_STORE: 'file' };
  const { stdout } = await run('sh', ['-ec', lines], { cwd: folder, env });
  return stdout;
}

describe('what the pages tell to do', () => {
  it.each(['README.md', 'README.ko.md'])('the program of %s prints a result', async (page) => {
    const [program = ''] = blocks(await pageText(page), 'ts');
    const args = [...flagsForSdk(), '--input-type=module-typescript', '-e', program];
    const { stdout } = await run(process.execPath, args, {
      cwd: join(ROOT, 'examples'),
      env: server.environment,
    });
    expect(stdout).toContain("params_echo: { from_date: '20261101', to_date: '20261121' }");
  });

  it.each(['README.md', 'README.ko.md'])('the commands of %s work', async (page) => {
    const lines = blocks(await pageText(page), 'sh').filter((text) =>
      text.startsWith('./changgu '),
    );
    expect(lines.length).toBeGreaterThan(0);
    const output = await paste(lines.join('\n'), server.environment);
    expect(output).toContain('params_echo');
    expect(output.match(/SUCCEEDED/g)).toHaveLength(4);
    expect(output).toContain('mate_knd_cd');
  });

  it.runIf(hasCurl).each(['README.md', 'README.ko.md'])(
    'the HTTP calls of %s submit a job, wait for it and read its result',
    async (page) => {
      const calls = blocks(await pageText(page), 'sh').find((text) => text.startsWith('curl '));
      const [submit = '', wait = '', result = ''] = (calls ?? '').split(/\n(?=curl )/);
      const { job_id: id } = JSON.parse(await paste(submit, server.environment));
      const call = async (line: string) =>
        JSON.parse(await paste(line.replace('job_…', id), server.environment));
      let job = await call(wait);
      while (['QUEUED', 'RUNNING'].includes(job.status)) job = await call(wait);
      expect(job.status).toBe('SUCCEEDED');
      const { result: read } = await call(result);
      expect(read.data.params_echo).toEqual({ from_date: '20261101', to_date: '20261121' });
    },
  );

  it.runIf(hasCurl)('a key of the page about webhooks creates an endpoint over HTTP', async () => {
    const lines = blocks(await pageText('docs/webhooks.md'), 'sh');
    const [issue = '', create = ''] = lines;
    const issued = await paste(`./changgu login --demo\n./${issue}`, server.environment);
    const [CHANGGU_CLIENT_ID, CHANGGU_CLIENT_SECRET] = issued.trim().split('\t');
    const key = { ...server.environment, CHANGGU_CLIENT_ID, CHANGGU_CLIENT_SECRET };
    expect(JSON.parse(await paste(create, key))).toMatchObject({ status: 'ENABLED' });
  });

  it('the owner creates an endpoint of the webhook example, and tests it', async () => {
    const page = await pageText('examples/webhooks/README.md');
    const [login = '', create = '', test = ''] = (
      blocks(page, 'sh').find((text) => text.includes('webhooks create')) ?? ''
    ).split('\n');
    // The reader has pasted the line with the key, too.
    const created = await paste(`${login}\n${create}`, server.environment);
    const [id = ''] = /whk_\w+/.exec(created) ?? [];
    expect(test).toContain('whk_…');
    const tested = await paste(test.replace('whk_…', id), server.environment);
    expect(tested).toContain('webhook.test');
  });

  it('the guide to connectors runs its own institution by hand', async () => {
    const lines = blocks(await pageText('docs/writing-a-connector.md'), 'sh');
    const output = await paste(lines.find((text) => text.includes('login --demo')) ?? '', {
      // The guide's reader has installed the command.
      PATH: `${folder}:${process.env.PATH}`,
    });
    expect(output).toContain('김조합\t2020-03-02');
    expect(output).toMatch(/certificate_no\t2026-1\n/);
  });

  it('the configuration file of the operator is accepted', async () => {
    const [file = ''] = blocks(await pageText('docs/operations.md'), 'toml');
    const operated = join(folder, 'operated');
    await mkdir(operated);
    await writeFile(join(operated, 'changgu.toml'), file);
    const args = [...serverProgram(), 'migrate'];
    const env = {
      CHANGGU_CONFIG: 'changgu.toml',
      CHANGGU_DATABASE_URL: 'sqlite:changgu.db',
      CHANGGU_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      CHANGGU_PUBLIC_BASE_URL: 'https://changgu.example',
    };
    await expect(run(process.execPath, args, { cwd: operated, env })).resolves.toBeDefined();
    await writeFile(join(operated, 'changgu.toml'), `${file}\nunknown = 1\n`);
    await expect(run(process.execPath, args, { cwd: operated, env })).rejects.toThrow('unknown');
  });

  it.runIf(hasCurl)(
    'the example of the page about billing says what its provider does',
    async () => {
      const [, settings = ''] = blocks(await pageText('docs/billing.md'), 'sh');
      const [decline = '', stop = '', reset = ''] = settings.split('\n');
      const args = [...flagsForSdk(), join(ROOT, 'packages/sdk/examples/register-a-card.ts')];
      const register = () => run(process.execPath, args, { env: server.environment });
      await paste(decline, server.environment);
      await expect(register()).rejects.toThrow('409 PROVIDER_CREDENTIAL_REJECTED');
      await paste(stop, server.environment);
      await expect(register()).rejects.toThrow('the card page answered 503');
      await paste(reset, server.environment);
      await expect(register()).resolves.toBeDefined();
    },
  );
});
