import { readFile } from 'node:fs/promises';
import { isJsonObject } from './json-object.ts';
import { SettingError } from './settings.ts';

/**
 * Where a secret is kept on this machine. The value itself is in no setting, no argument and no result; it is read
 * when a service needs it, and encrypted by the SDK.
 */
export type SecretReference =
  | { readonly env: string }
  | { readonly file: string }
  | { readonly keychain: { readonly service: string; readonly account: string } };

/** References by `<institution>.<field>`, or by `<institution>.<field>@<bank_account_credential_id>` for one account. */
export interface SecretReferences {
  /**
   * Values of those fields that there is a reference for.
   * @throws SecretUnavailableError when a reference leads nowhere
   */
  read(
    institution: string,
    fields: readonly string[],
    bankAccountId: string | null,
  ): Promise<Record<string, string>>;
}

/** A reference leads nowhere. Names the reference, never a value. */
export class SecretUnavailableError extends Error {
  override readonly name = 'SecretUnavailableError';
}

/** A keychain that asks its user, or hangs, is given up after this. */
const KEYCHAIN_LIMIT_MS = 3_000;

/** @throws SettingError when the file is not a JSON object of references */
export async function loadSecretReferences(
  path: string | null,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SecretReferences> {
  const references = path === null ? new Map<string, SecretReference>() : await readMap(path);
  return {
    async read(institution, fields, bankAccountId) {
      const found: Record<string, string> = {};
      for (const field of fields) {
        const name = `${institution}.${field}`;
        const reference = references.get(`${name}@${bankAccountId}`) ?? references.get(name);
        if (reference) found[field] = await resolve(name, reference, env);
      }
      return found;
    },
  };
}

async function readMap(path: string): Promise<Map<string, SecretReference>> {
  const json = await readJson(path);
  if (!isJsonObject(json)) {
    throw new SettingError({
      ko: `${path} 파일은 참조를 담은 JSON 객체여야 합니다.`,
      en: `${path} must be a JSON object of references.`,
    });
  }
  return new Map(
    Object.entries(json).map(([name, reference]) => {
      if (isReference(reference)) return [name, reference];
      throw new SettingError({
        ko: `${path}의 ${name}에는 {env}, {file}, {keychain} 중 하나를 쓰십시오.`,
        en: `${name} in ${path} must be {env}, {file} or {keychain}.`,
      });
    }),
  );
}

/** The parser's own words would quote the file, and a secret may have been written into it. */
async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    throw new SettingError({
      ko: `${path} 파일을 JSON으로 읽을 수 없습니다.`,
      en: `${path} cannot be read as JSON.`,
    });
  }
}

function isReference(value: unknown): value is SecretReference {
  if (!isJsonObject(value) || Object.keys(value).length !== 1) return false;
  const { env, file, keychain } = value;
  if (keychain === undefined) return typeof (env ?? file) === 'string';
  return (
    isJsonObject(keychain) &&
    typeof keychain.service === 'string' &&
    typeof keychain.account === 'string'
  );
}

async function resolve(
  name: string,
  reference: SecretReference,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const value = await lookUp(reference, env).catch(() => undefined);
  if (value) return value;
  throw new SecretUnavailableError(`The reference of ${name} leads to no value on this machine.`);
}

async function lookUp(
  reference: SecretReference,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  if ('env' in reference) return env[reference.env];
  if ('file' in reference) return (await readFile(reference.file, 'utf8')).trimEnd();
  const { AsyncEntry } = await import('@napi-rs/keyring');
  const { service, account } = reference.keychain;
  const signal = AbortSignal.timeout(KEYCHAIN_LIMIT_MS);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const entry = new AsyncEntry(service, account);
  return (await Promise.race([entry.getPassword(signal), late])) ?? undefined;
}
