import type { Cli } from '../../cli.ts';
import type { InputReader } from '../../input/read-input.ts';
import { readSecrets } from '../../input/read-secrets.ts';

/** The names that people use for a credential's secrets. */
const TITLES = {
  encrypted_pw: { ko: '인증서 비밀번호', en: 'Certificate password' },
  login_id: { ko: '로그인 ID', en: 'Login ID' },
  login_password: { ko: '로그인 비밀번호', en: 'Login password' },
  account_no: { ko: '계좌번호', en: 'Account number' },
  account_password: { ko: '계좌 비밀번호', en: 'Account password' },
} as const;

type SecretName = keyof typeof TITLES;

/** A credential's named secrets: from `--secret name=@…` if given, otherwise prompted. */
export async function credentialSecrets<Name extends SecretName>(
  cli: Cli,
  names: readonly Name[],
  given: readonly string[] = [],
  reader: InputReader,
): Promise<Record<Name, string>> {
  const fields = Object.fromEntries(names.map((name) => [name, TITLES[name]]));
  const givenNames = given.map((text) => text.split('=', 1)[0]);
  const missing = names.filter((name) => !givenNames.includes(name));
  const secrets = await readSecrets(cli, [...given, ...missing], reader, fields);
  // Every name was given or prompted for.
  return secrets as Record<Name, string>;
}
