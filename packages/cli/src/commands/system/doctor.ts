import { stat } from 'node:fs/promises';
import type { Changgu } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { createClient } from '../../client.ts';
import { isMissing } from '../../config/private-file.ts';
import { proxyVariable } from '../../config/proxy-variable.ts';
import { NOBODY, storeOf } from '../../credentials/credentials.ts';
import { secretsFile } from '../../credentials/file-store.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { reportError } from '../../output/error-report.ts';

/** One finding. */
interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

const MIN_NODE = [22, 19] as const;
const MAX_SKEW_SECONDS = 60;

/** Looks at everything that commands depend on. 1 when something is wrong. */
export async function doctor(cli: Cli): Promise<ExitCode> {
  const checks = [
    checkNode(cli),
    await checked(cli, cli.texts.doctor.config, async () => {
      await cli.settings();
      return cli.locations.configFile;
    }),
    await checkPermissions(cli),
    await checkKeyring(cli),
    ...(await checkService(cli)),
    await checkCredentials(cli),
  ];
  const { ok, bad } = cli.texts.doctor;
  await cli.output.list(
    checks.map(({ ok: fine, ...check }) => ({ ...check, status: fine ? ok : bad, ok: fine })),
    { columns: ['name', 'status', 'detail'], id: 'name' },
  );
  return checks.every(({ ok: fine }) => fine) ? EXIT.ok : EXIT.failed;
}

async function checked(cli: Cli, name: string, check: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, detail: await check() };
  } catch (error) {
    return { name, ok: false, detail: reasonOf(cli, error) };
  }
}

function reasonOf({ texts, io }: Cli, error: unknown, baseUrl: string | null = null): string {
  return reportError(error, texts, { baseUrl, proxyVariable: proxyVariable(io.env) }).message;
}

function checkNode({ texts }: Cli): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [minMajor, minMinor] = MIN_NODE;
  const ok = major > minMajor || (major === minMajor && minor >= minMinor);
  return { name: texts.doctor.node, ok, detail: process.versions.node };
}

async function checkPermissions(cli: Cli): Promise<Check> {
  const { texts, locations } = cli;
  const name = texts.doctor.permissions;
  const settings = await cli.settings().catch(() => null);
  const file = secretsFile(locations.secretsDir, settings?.profile.value ?? 'default');
  try {
    const { mode } = await stat(file);
    const open = (mode & 0o077) !== 0;
    const octal = (mode & 0o777).toString(8).padStart(4, '0');
    return { name, ok: !open, detail: open ? `${file}: ${texts.doctor.tooOpen(octal)}` : file };
  } catch (error) {
    if (isMissing(error)) return { name, ok: true, detail: texts.doctor.missing };
    return { name, ok: false, detail: String(error) };
  }
}

/** No keychain is no problem unless the profile uses it. */
async function checkKeyring(cli: Cli): Promise<Check> {
  const name = cli.texts.doctor.keyring;
  const settings = await cli.settings().catch(() => null);
  try {
    await storeOf('keyring', cli.locations).read(settings?.profile.value ?? 'default');
    return { name, ok: true, detail: cli.texts.doctor.ok };
  } catch (error) {
    const { login, doctor: texts } = cli.texts;
    const why = error instanceof Error ? error.message : String(error);
    return settings?.credentialStore?.value === 'keyring'
      ? { name, ok: false, detail: login.keyringFailed(why) }
      : { name, ok: true, detail: texts.keyringUnused(why) };
  }
}

async function checkService(cli: Cli): Promise<Check[]> {
  const { reachable, clock, skew } = cli.texts.doctor;
  const settings = await cli.settings().catch(() => null);
  const baseUrl = settings?.baseUrl?.value;
  if (baseUrl === undefined)
    return [{ name: reachable, ok: false, detail: cli.texts.config.noBaseUrl }];
  let client: Changgu | undefined;
  try {
    client = createClient(cli, baseUrl, 'sandbox', NOBODY);
    const { version, time } = await client.system.health({ ...cli.call, maxRetries: 1 });
    const seconds = Math.round(Math.abs(Date.parse(time) - Date.now()) / 1000);
    return [
      { name: reachable, ok: true, detail: `${baseUrl} (${version})` },
      { name: clock, ok: seconds <= MAX_SKEW_SECONDS, detail: skew(seconds) },
    ];
  } catch (error) {
    return [{ name: reachable, ok: false, detail: reasonOf(cli, error, baseUrl) }];
  } finally {
    await client?.close();
  }
}

async function checkCredentials(cli: Cli): Promise<Check> {
  return checked(cli, cli.texts.doctor.credentials, async () => {
    const { principalKind } = await (await cli.client('any')).membership.me({
      ...cli.call,
      maxRetries: 1,
    });
    return principalKind ?? '';
  });
}
