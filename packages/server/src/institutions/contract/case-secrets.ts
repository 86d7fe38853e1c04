import iconv from 'iconv-lite';
import type { PlainCase } from './connector-case.ts';

/** What must never be visible outside the call: passwords, account numbers, tokens. */
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

/** Shorter values of a consent are types and scopes. */
const SHORTEST_TOKEN = 12;

function tokensIn(authorization: Readonly<Record<string, unknown>>): string[] {
  return Object.values(authorization).filter(
    (value): value is string => typeof value === 'string' && value.length >= SHORTEST_TOKEN,
  );
}

/** Whether a text shows a secret, literally or as encoded in an address, a form or base64. */
export function shows(text: string, secrets: readonly string[]): boolean {
  const digits = text.replaceAll(/(?<=\d)-(?=\d)/g, '');
  return secrets.some((secret) =>
    // A short number counts only when it stands alone; otherwise it may be part of an amount.
    /^\d{1,5}$/.test(secret)
      ? new RegExp(`(?<![\\d,.-])${secret}(?![\\d,.-])`).test(text)
      : writtenAs(secret).some((form) => text.includes(form)) || digits.includes(secret),
  );
}

/** The encodings of a value on its way to a portal. */
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
