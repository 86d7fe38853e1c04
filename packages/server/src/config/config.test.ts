import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError } from './config-error.ts';
import { readConfig } from './server-config.ts';

const SERVE = {
  CHANGGU_PUBLIC_BASE_URL: 'https://jobs.example.com',
  CHANGGU_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
};

const directories: string[] = [];
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))));

async function file(toml: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'changgu-config-'));
  directories.push(directory);
  const path = join(directory, 'config.toml');
  await writeFile(path, toml);
  return path;
}

describe('readConfig', () => {
  it('needs no settings for dev, which caps bank products at three jobs (D44)', async () => {
    const config = await readConfig('dev', {});
    expect(config).toMatchObject({
      mode: 'dev',
      listen: { host: '127.0.0.1', port: 4010 },
      bankProductCap: 3,
      dataDir: '.changgu',
      databaseUrl: `sqlite:${join('.changgu', 'changgu.db')}`,
    });
    expect(config.plans.FREE?.real_test.daily).toBe(100);
  });

  it('prefers the command line to the environment', async () => {
    const env = {
      CHANGGU_LISTEN: '127.0.0.1:1',
      CHANGGU_DATA_DIR: 'a',
      CHANGGU_BANK_PRODUCT_CAP: '7',
    };
    const config = await readConfig('dev', env, { port: 0, dataDir: 'b' });
    expect(config.listen).toEqual({ host: '127.0.0.1', port: 0 });
    expect(config.databaseUrl).toBe(`sqlite:${join('b', 'changgu.db')}`);
    expect(config.bankProductCap).toBe(7);
  });

  it('gives a command what is configured, and nothing that only dev has', async () => {
    const config = await readConfig('command', {});
    expect(config).toMatchObject({ mode: 'command', bankProductCap: 10, console: 'off' });
  });

  it('refuses to serve without a master key and a public address (D64, D67)', async () => {
    const failure = await readConfig('serve', {}).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConfigError);
    expect((failure as ConfigError).lines).toHaveLength(2);
    await expect(readConfig('serve', SERVE)).resolves.toMatchObject({ mode: 'serve' });
  });

  it('requires all settings of a payment provider, at an https or loopback address (D117)', async () => {
    const payment = {
      CHANGGU_PAYMENT_URL: 'https://pay.example',
      CHANGGU_PAYMENT_CLIENT_KEY: 'ck',
      CHANGGU_PAYMENT_SECRET_KEY: 'sk',
    };
    const account = { url: 'https://pay.example', clientKey: 'ck', secretKey: 'sk' };
    expect((await readConfig('serve', SERVE)).payment).toBeNull();
    expect((await readConfig('serve', { ...SERVE, ...payment })).payment).toEqual(account);
    const without = { ...SERVE, ...payment, CHANGGU_PAYMENT_SECRET_KEY: '' };
    await expect(readConfig('serve', without)).rejects.toThrow('CHANGGU_PAYMENT_SECRET_KEY');
    const at = (url: string) =>
      readConfig('serve', { ...SERVE, ...payment, CHANGGU_PAYMENT_URL: url });
    for (const url of ['http://pay.example', 'http://10.0.0.7', 'http://127.0.0.1.pay.example']) {
      await expect(at(url)).rejects.toThrow('CHANGGU_PAYMENT_URL must be an https URL');
    }
    expect((await at('http://127.0.0.1:9')).payment?.url).toBe('http://127.0.0.1:9');
  });

  it('names every mistake at once, and never a secret', async () => {
    const env = { ...SERVE, CHANGGU_LITSEN: 'x', CHANGGU_ROLE: 'boss' };
    const failure = await readConfig('serve', env).catch((error: unknown) => error);
    const text = String((failure as Error).message);
    expect(text).toContain('did you mean CHANGGU_LISTEN?');
    expect(text).toContain('CHANGGU_ROLE');
    expect(text).not.toContain(SERVE.CHANGGU_MASTER_KEY);
  });

  it('takes plans from the file, and the demo quota of all from the environment (D40)', async () => {
    const path = await file(
      'auto_approve = true\n[plans.BIG]\nname = "Big"\ntier = "PAID"\nproduction = { monthly = 5 }\n',
    );
    const env = { CHANGGU_CONFIG: path, CHANGGU_REAL_TEST_DAILY_TOKENS: '9' };
    const config = await readConfig('dev', env);
    expect(config.settings).toEqual({
      auto_approve: true,
      demo_days: 30,
      job_retention_days: 30,
      event_retention_days: 30,
      registration: 'open',
    });
    expect(config.plans.BIG).toEqual({
      name: 'Big',
      tier: 'PAID',
      price: 0,
      tokenPrice: 0,
      real_test: { daily: 9, monthly: null },
      production: { daily: null, monthly: 5 },
    });
    expect(config.plans.FREE?.real_test.daily).toBe(9);
  });

  it('leaves each plan its own demo quota where the environment sets none, as the page says (D40)', async () => {
    const path = await file(
      '[plans.BIG]\nname = "Big"\ntier = "PAID"\nreal_test = { daily = 7, monthly = 70 }\n',
    );
    const config = await readConfig('dev', { CHANGGU_CONFIG: path });
    expect(config.plans.BIG?.real_test).toEqual({ daily: 7, monthly: 70 });
    const page = await readFile(
      new URL('../../../../docs/configuration.md', import.meta.url),
      'utf8',
    );
    const row = page.split('\n').find((line) => line.includes('CHANGGU_REAL_TEST_DAILY_TOKENS'));
    expect(row?.split(' | ')[3]).toBe('–');
  });

  it('quotes no line of the file, because it may contain a secret', async () => {
    const text = '[consent_clients.bank_d]\nclient_id = "a"\nclient_secret = "hunter2\n';
    const failure = await readConfig('dev', { CHANGGU_CONFIG: await file(text) }).catch(String);
    expect(failure).toContain('line 3');
    expect(failure).not.toContain('hunter2');
  });

  it.each([
    ['[plans.BIG]\nname = "Big"\n', 'plans.BIG'],
    ['demo_day = 3\n', 'demo_day'],
    ['a = = b\n', 'cannot read'],
  ])('tells what is wrong in %j', async (toml, part) => {
    const config = readConfig('dev', { CHANGGU_CONFIG: await file(toml) });
    await expect(config).rejects.toThrow(part);
  });
});

describe.each(['serve', 'dev'] as const)('%s and a database on another machine', (mode) => {
  it.each([
    ['postgres://u:p@db.example.com/changgu', false],
    ['postgres://u:p@db.example.com/changgu?sslmode=require', false],
    ['postgres://u:p@db.example.com/changgu?sslmode=no-verify', false],
    ['postgres://u:p@localhost/changgu?host=db.example.com', false],
    ['postgres://u:p@db.example.com/changgu?sslmode=verify-full', true],
    ['postgres://u:p@10.0.0.5/changgu?sslmode=disable', true],
    ['postgres://u:p@127.0.0.1:5432/changgu', true],
    ['postgres://u:p@[::1]/changgu', true],
    ['postgres:///changgu', true],
  ])('%s verifies TLS or declines it on purpose: %s (D64)', async (url, accepted) => {
    const reading = readConfig(mode, { ...SERVE, CHANGGU_DATABASE_URL: url });
    if (accepted) await expect(reading).resolves.toMatchObject({ databaseUrl: url });
    else await expect(reading).rejects.toThrow('sslmode=verify-full');
  });

  it('knows that the driver takes the host from PGHOST when the address names none (D64)', async () => {
    const env = { ...SERVE, CHANGGU_DATABASE_URL: 'postgres:///changgu', PGHOST: 'db.example.com' };
    await expect(readConfig(mode, env)).rejects.toThrow('sslmode=verify-full');
  });
});
