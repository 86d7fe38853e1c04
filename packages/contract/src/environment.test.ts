import { describe, expect, it } from 'vitest';
import { type AnyVariable, type Program, readEnvironment, VARIABLES } from './environment.ts';

function read<P extends Program>(program: P, env: Record<string, string | undefined>) {
  const result = readEnvironment(program, env);
  if (!result.ok) throw new Error(result.errors.map(({ en }) => en).join('\n'));
  return result;
}

function errors(program: Program, env: Record<string, string | undefined>) {
  const result = readEnvironment(program, env);
  return result.ok ? [] : result.errors.map(({ en }) => en);
}

describe('readEnvironment', () => {
  it('fills in the defaults of the server', () => {
    const { values, given } = read('server', {});
    expect(values).toMatchObject({
      listen: { host: '127.0.0.1', port: 4010 },
      dataDir: '.changgu',
      role: 'all',
      workerSlots: 32,
      leaseSeconds: 30,
      queueLimitSeconds: 21_600,
      rateLimit: { limit: 6000, windowSeconds: 60 },
      trustProxy: false,
      bankProductCap: 10,
      mcpWaitSeconds: 50,
      realTestUrls: {},
      publicBaseUrl: undefined,
    });
    expect(given.size).toBe(0);
  });

  it('reads typed values and says which were given', () => {
    const { values, given } = read('server', {
      CHANGGU_LISTEN: '[::1]:8080',
      CHANGGU_DATABASE_URL: 'postgres://u:p@db/changgu',
      CHANGGU_RATE_LIMIT: '10/1',
      CHANGGU_TRUST_PROXY: '10.0.0.0/8, ::1',
      CHANGGU_REAL_TEST_URL_BANK_B: 'https://bank.example/',
      CHANGGU_ROLE: ' api ',
      CHANGGU_CONFIG: '',
    });
    expect(values.listen).toEqual({ host: '::1', port: 8080 });
    expect(values.databaseUrl).toEqual({ dialect: 'postgres', url: 'postgres://u:p@db/changgu' });
    expect(values.rateLimit).toEqual({ limit: 10, windowSeconds: 1 });
    expect(values.trustProxy).toEqual(['10.0.0.0/8', '::1']);
    expect(values.realTestUrls).toEqual({ bank_b: 'https://bank.example' });
    expect(values.role).toBe('api');
    expect(values.config).toBeUndefined();
    expect(given.has('listen')).toBe(true);
    expect(given.has('config')).toBe(false);
  });

  it('reports every wrong value in one line each', () => {
    expect(
      errors('server', {
        CHANGGU_WORKER_SLOTS: '-1',
        CHANGGU_ROLE: 'both',
        CHANGGU_LISTEN: '4010',
        CHANGGU_PUBLIC_BASE_URL: 'http://changgu.example',
        CHANGGU_RATE_LIMIT: '6000',
        CHANGGU_PRODUCTION_URL_BANK_A: 'ftp://bank',
      }),
    ).toEqual([
      'CHANGGU_LISTEN must be host:port, e.g. 127.0.0.1:4010, not "4010"',
      'CHANGGU_PUBLIC_BASE_URL must be an https URL without user, query or fragment (http only on loopback), not "http://changgu.example"',
      'CHANGGU_ROLE must be one of all, api, worker, not "both"',
      'CHANGGU_WORKER_SLOTS must be an integer 0–1000, not "-1"',
      'CHANGGU_RATE_LIMIT must be requests/seconds, e.g. 6000/60, not "6000"',
      'CHANGGU_PRODUCTION_URL_BANK_A must be an https URL (http only at a private address), not "ftp://bank"',
    ]);
  });

  it.each([
    ['https://bank.example', true],
    ['http://127.0.0.1:8080', true],
    ['http://localhost', true],
    ['http://10.1.2.3', true],
    ['http://172.31.0.1', true],
    ['http://192.168.0.9/portal', true],
    ['http://[fd00::1]', true],
    ['http://bank.example', false],
    ['http://8.8.8.8', false],
    ['http://172.32.0.1', false],
    ['http://10.example.com', false],
    ['http://10.1.2.3.example.com', false],
    ['http://[2001:db8::1]', false],
  ])('credentials go to %s: %s (D141)', (url, allowed) => {
    for (const name of ['CHANGGU_PRODUCTION_URL_BANK_A', 'CHANGGU_REAL_TEST_URL_BANK_A']) {
      expect(errors('server', { [name]: url })).toHaveLength(allowed ? 0 : 1);
    }
  });

  it('never repeats a secret in an error', () => {
    const [error] = errors('server', { CHANGGU_DATABASE_URL: 'mysql://root:hunter2@db' });
    expect(error).toBe('CHANGGU_DATABASE_URL must be sqlite:path or postgres://…');
  });

  it('an unknown name is an error that says the nearest one', () => {
    expect(errors('server', { CHANGGU_WORKER_SLOT: '3' })).toEqual([
      'CHANGGU_WORKER_SLOT is not a setting of Changgu; did you mean CHANGGU_WORKER_SLOTS?',
    ]);
    expect(errors('sdk', { CHANGGU_BASEURL: 'x', CHANGGU_ZZZZZZZZZZZZZZZZ: '' })).toEqual([
      'CHANGGU_BASEURL is not a setting of Changgu; did you mean CHANGGU_BASE_URL?',
      'CHANGGU_ZZZZZZZZZZZZZZZZ is not a setting of Changgu',
    ]);
    expect(errors('server', { CHANGGU_REAL_TEST_URL_: 'x' })).toHaveLength(1);
  });

  it('ignores the names of the other programs, of the tests and of other software', () => {
    expect(errors('sdk', { CHANGGU_LISTEN: 'nonsense', PATH: '/bin' })).toEqual([]);
    expect(
      errors('server', { CHANGGU_CLIENT_ID: 'cli_1', CHANGGU_TEST_POSTGRES_URL: 'x' }),
    ).toEqual([]);
  });

  it('ignores Kubernetes service links, but not a port that was meant as a setting', () => {
    const links = {
      CHANGGU_SERVICE_HOST: '10.0.0.1',
      CHANGGU_SERVICE_PORT: '4010',
      CHANGGU_SERVICE_PORT_HTTP: '4010',
      CHANGGU_PORT: 'tcp://10.0.0.1:4010',
      CHANGGU_PORT_4010_TCP: 'tcp://10.0.0.1:4010',
      CHANGGU_PORT_4010_TCP_ADDR: '10.0.0.1',
      CHANGGU_API_SERVICE_HOST: '10.0.0.2',
      CHANGGU_API_PORT: 'tcp://10.0.0.2:80',
    };
    expect(errors('server', links)).toEqual([]);
    expect(errors('server', { CHANGGU_PORT: '4010' })).toHaveLength(1);
  });

  it('the clients share their names (D150)', () => {
    const env = { CHANGGU_BASE_URL: 'http://127.0.0.1:4010/', CHANGGU_ENV_SCOPE: 'sandbox' };
    expect(read('sdk', env).values).toEqual({
      baseUrl: 'http://127.0.0.1:4010',
      envScope: 'sandbox',
      clientId: undefined,
      clientSecret: undefined,
    });
    expect(read('cli', env).values.profile).toBeUndefined();
  });
});

describe('the table', () => {
  const variables: readonly AnyVariable[] = Object.values(VARIABLES);

  it('has unique names and defaults that parse', () => {
    expect(new Set(variables.map(({ name }) => name)).size).toBe(variables.length);
    const failing = variables.filter(
      ({ kind, default: text }) => text !== null && !('value' in kind.parse(text)),
    );
    expect(failing).toEqual([]);
  });
});
