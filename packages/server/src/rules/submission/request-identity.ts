import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { invalidValue } from '../service-error.ts';

/** What makes two submissions the same request. */
export interface RequestIdentity {
  readonly provider: string;
  readonly action: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Ciphertexts as sent: encrypting again makes a different request. */
  readonly encryptedFields: Readonly<Record<string, string>>;
}

/**
 * The hash of the canonical request without its link: names sorted, numbers by value. It alone
 * decides when the link can no longer be chosen (D20).
 * @throws ServiceError 400 when a string is not valid Unicode
 */
export function identityWithoutLink(request: RequestIdentity): string {
  return sha256(canonical(request));
}

/** The hash including the automatically selected link; null = no link. */
export function identityWithLink(withoutLink: string, accountLinkId: string | null): string {
  return sha256(`${withoutLink}:${accountLinkId ?? ''}`);
}

function canonical({ provider, action, params, encryptedFields }: RequestIdentity): string {
  try {
    const text = canonicalize([provider, action, params, encryptedFields]);
    if (text !== undefined) return text;
  } catch {
    // Without the library's text, which could quote a value.
  }
  throw invalidValue([
    { loc: ['body'], msg: 'Strings should be valid Unicode', type: 'string_unicode' },
  ]);
}

function sha256(text: string): string {
  return hash('sha256', text);
}
