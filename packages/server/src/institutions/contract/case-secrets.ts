import iconv from 'iconv-lite';
import type { PlainCase } from './connector-case.ts';

/** What must never be seen outside the call: passwords, account numbers, tokens. */
export function secretsOf({ secrets = {}, link, account }: PlainCase): string[] {
  const credential = link?.credential;
  const found = [
    ...Object.values(secrets),
    ...(credential?.type === 'id_password' ? [credential.loginPassword] : []),
    ...(credential?.type === 'certificate' ? [credential.password, credential.encryptedKey] : []),
    ...(credential?.type === 'consent' ? tokensIn(credential.authorization) : []),
    ...(account ? [account.accountNumber, account.accountPassword] : []),
  ];
  return [...new Set(found)].filter((secret) => secret !== '');
}

/** Shorter values of a consent are kinds and scopes. */
const SHORTEST_TOKEN = 12;

function tokensIn(authorization: Readonly<Record<string, unknown>>): string[] {
  return Object.values(authorization).filter(
    (value): value is string => typeof value === 'string' && value.length >= SHORTEST_TOKEN,
  );
}

/** Does a text show a secret, as it is or as it is written in an address, a form or base64? */
export function shows(text: string, secrets: readonly string[]): boolean {
  const digits = text.replaceAll(/(?<=\d)-(?=\d)/g, '');
  return secrets.some((secret) =>
    // A short number stands alone when it is the secret, and is part of an amount otherwise.
    /^\d{1,5}$/.test(secret)
      ? new RegExp(`(?<![\\d,.-])${secret}(?![\\d,.-])`).test(text)
      : writtenAs(secret).some((form) => text.includes(form)) || digits.includes(secret),
  );
}

/** The ways in which a value is written on its way to a portal. */
export function writtenAs(value: string): string[] {
  const bytes = Buffer.from(value);
  const eucKr = [...iconv.encode(value, 'cp949')]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
  return [
    ...new Set([
      value,
      encodeURIComponent(value),
      new URLSearchParams({ v: value }).toString().slice(2),
      JSON.stringify(value).slice(1, -1),
      bytes.toString('base64'),
      bytes.toString('base64url'),
      bytes.toString('hex'),
      eucKr,
    ]),
  ];
}
