import { stat } from 'node:fs/promises';
import type { Health } from '@changgu/sdk';
import type { Cli, WritingCli } from '../../cli.ts';
import { createClient } from '../../client.ts';
import { writes } from '../../command.ts';
import { isMissing } from '../../config/private-file.ts';
import { proxyVariable } from '../../config/proxy-variable.ts';
import { NO_CREDENTIALS } from '../../credentials/credentials.ts';
import { secretsFile } from '../../credentials/file-store.ts';
import { keyringStore } from '../../credentials/keyring-store.ts';
import type { SecretStore } from '../../credentials/secret-store.ts';
import { EXIT } from '../../exit-codes.ts';
import { reportError } from '../../output/error-report.ts';
import type { Shape } from '../../output/shape.ts';
import type { Texts } from '../../texts/ko.ts';

/** Stable, for scripts; the name beside it is for people. */
type CheckId = keyof Texts['doctor']['checks'];

interface Check {
  readonly id: CheckId;
  readonly ok: boolean;
  readonly detail: string;
}

const MIN_NODE = [22, 19] as const;
const MAX_SKEW_SECONDS = 60;

const CHECK: Shape = {
  fields: ['id', 'name', 'status', 'detail', 'ok'],
  columns: ['name', 'status', 'detail'],
  id: 'id',
  whole: ['name', 'status', 'detail'],
};

/** Checks everything that commands depend on. Exits with 1 when there is a problem. */
export const doctor = writes<[]>(CHECK, async (cli) => {
  const checks = [
    checkNode(),
    await checked(cli, 'config', async () => {
      await cli.settings();
      return cli.locations.configFile;
    }),
    await checkPermissions(cli),
    await checkKeychain(cli),
    ...(await checkService(cli)),
    await checkCredentials(cli),
  ];
  const { ok, bad, checks: names } = cli.texts.doctor;
  await cli.output.list(
    checks.map((check) => ({
      id: check.id,
      name: names[check.id],
      status: check.ok ? ok : bad,
      detail: check.detail,
      ok: check.ok,
    })),
    CHECK,
  );
  return checks.every((check) => check.ok) ? EXIT.ok : EXIT.failed;
});

async function checked(
  cli: Cli,
  id: CheckId,
  check: () => Promise<string>,
  baseUrl: string | null = null,
): Promise<Check> {
  try {
    return { id, ok: true, detail: await check() };
  } catch (error) {
    return { id, ok: false, detail: reasonOf(cli, error, baseUrl) };
  }
}

function reasonOf(cli: Cli, error: unknown, baseUrl: string | null = null): string {
  const { texts, io, timeoutMs = null } = cli;
  const where = { baseUrl, proxyVariable: proxyVariable(io.env), timeoutMs };
  return reportError(error, texts, where).message;
}

function checkNode(): Check {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const [minMajor, minMinor] = MIN_NODE;
  const ok = major > minMajor || (major === minMajor && minor >= minMinor);
  return { id: 'node', ok, detail: node };
}

async function checkPermissions(cli: Cli): Promise<Check> {
  const { texts, locations } = cli;
  const id = 'permissions';
  const settings = await cli.settings().catch(() => null);
  const file = secretsFile(locations.secretsDir, settings?.profile.value ?? 'default');
  try {
    const { mode } = await stat(file);
    const open = (mode & 0o077) !== 0;
    const octal = (mode & 0o777).toString(8).padStart(4, '0');
    return { id, ok: !open, detail: open ? `${file}: ${texts.doctor.tooOpen(octal)}` : file };
  } catch (error) {
    if (isMissing(error)) return { id, ok: true, detail: texts.doctor.missing };
    return { id, ok: false, detail: String(error) };
  }
}

/** Stores, reads and deletes a value, because a keychain may exist but be locked. Having none is fine unless it is used. */
async function checkKeychain(cli: WritingCli): Promise<Check> {
  const id = 'keychain';
  const settings = await cli.settings().catch(() => null);
  const store = keyringStore(cli.io, cli.locations.keychainAccount);
  try {
    const lost = await forgets(store, cli.gate.dryRun);
    return { id, ok: !lost, detail: lost ? cli.texts.doctor.keychainForgets : cli.texts.doctor.ok };
  } catch (error) {
    const { login, doctor: texts } = cli.texts;
    const why = error instanceof Error ? error.message : String(error);
    return settings?.credentialStore?.value === 'keyring'
      ? { id, ok: false, detail: login.keyringFailed(why) }
      : { id, ok: true, detail: texts.keychainUnused(why) };
  }
}

/** Whether a value that was stored cannot be read. Leaves none behind; a dry run only reads. */
async function forgets(store: SecretStore, dryRun: boolean): Promise<boolean> {
  const probe = `doctor-${crypto.randomUUID()}`;
  if (dryRun) {
    await store.read(probe);
    return false;
  }
  await store.write(probe, { base_url: 'http://127.0.0.1' });
  try {
    return (await store.read(probe)) === null;
  } finally {
    await store.remove(probe);
  }
}

async function checkService(cli: Cli): Promise<Check[]> {
  const settings = await cli.settings().catch(() => null);
  const baseUrl = settings?.baseUrl?.value;
  if (baseUrl === undefined)
    return [{ id: 'service', ok: false, detail: cli.texts.config.noBaseUrl }];
  try {
    const { version, time } = await readHealth(cli, baseUrl);
    const seconds = Math.round(Math.abs(Date.parse(time) - cli.now()) / 1000);
    const { skew } = cli.texts.doctor;
    return [
      { id: 'service', ok: true, detail: `${baseUrl} (${version})` },
      { id: 'clock', ok: seconds <= MAX_SKEW_SECONDS, detail: skew(seconds) },
    ];
  } catch (error) {
    return [{ id: 'service', ok: false, detail: reasonOf(cli, error, baseUrl) }];
  }
}

async function readHealth(cli: Cli, baseUrl: string): Promise<Health> {
  const client = createClient(cli, baseUrl, 'sandbox', NO_CREDENTIALS);
  try {
    return await client.system.health({ ...cli.call, maxRetries: 1 });
  } finally {
    await client.close();
  }
}

async function checkCredentials(cli: Cli): Promise<Check> {
  const settings = await cli.settings().catch(() => null);
  const baseUrl = settings?.baseUrl?.value ?? null;
  const check = async () => {
    const client = await cli.client('any');
    const { principalKind } = await client.membership.me({ ...cli.call, maxRetries: 1 });
    return principalKind ?? '';
  };
  return checked(cli, 'credentials', check, baseUrl);
}
